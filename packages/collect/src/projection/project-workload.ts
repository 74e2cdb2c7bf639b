import type { KubeWorkload } from "@plimsoll/contracts";
import type { FieldReader } from "./field-reader.ts";
import { pooled } from "./pool.ts";
import { projectMetadata } from "./project-metadata.ts";
import { projectContainers } from "./project-pod.ts";
import type { Sharing } from "./sharing.ts";

/** A workload of `kind`. A CronJob's template stands two levels deeper and no rule reads it: it has none here. */
export function projectWorkload(workload: FieldReader, kind: string, share: Sharing): KubeWorkload {
  const spec = workload.optionalObject("spec");
  return {
    kind,
    metadata: projectMetadata(workload, share),
    spec: spec && {
      replicas: spec.optionalNumber("replicas"),
      template: projectTemplate(spec.optionalObject("template"), share),
    },
  };
}

type Template = NonNullable<KubeWorkload["spec"]>["template"];

function projectTemplate(template: FieldReader | undefined, share: Sharing): Template {
  if (!template) return undefined;
  const metadata = template.optionalObject("metadata");
  const spec = template.optionalObject("spec");
  const containers = spec?.optionalList("containers");
  return {
    metadata: metadata && { labels: pooled(share.texts, metadata.optionalTextMap("labels")) },
    spec: spec && { containers: containers && projectContainers(containers, share) },
  };
}
