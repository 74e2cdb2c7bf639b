import { PlimsollError } from "@plimsoll/contracts";
import type { Kubeconfig } from "./kubeconfig.ts";

/** Where to look for a kubeconfig. */
export interface KubeconfigOptions {
  /** The file of `--kubeconfig`; when given, nothing else is looked at. */
  readonly path?: string;
  /** Environment: KUBECONFIG, HOME, KUBERNETES_SERVICE_HOST and _PORT are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The contexts that `kubectl` would see: `path`, else the files of KUBECONFIG merged, else `~/.kube/config`, else the
 * service account of the pod this runs in. Throws kubeconfig_missing when there is none of them, kubeconfig_invalid.
 */
export async function readKubeconfig(_options: KubeconfigOptions): Promise<Kubeconfig> {
  throw new PlimsollError("internal", { reason: "not built yet" });
}
