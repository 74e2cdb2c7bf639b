import "./schemas-without-eval.ts";
import { z } from "zod";

const Text = z.string().nullable().catch(null);

/** The fields of an inventory record that tables show; one that is missing or of another form is unknown (`null`). */
export const ClusterRecord = z.object({
  cluster_type: Text,
  provider: Text,
  region: Text,
  environment: Text,
  k8s_version: Text,
  health_status: z.string().catch("unknown"),
  health_reasons: z.array(z.string()).catch([]),
});
export type ClusterRecord = z.infer<typeof ClusterRecord>;
