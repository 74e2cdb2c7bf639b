import type {
  KubePersistentVolume,
  KubePersistentVolumeClaim,
  KubeResourceQuota,
  KubeService,
} from "@plimsoll/contracts";
import type { FieldReader } from "./field-reader.ts";
import { pooled } from "./pool.ts";
import { projectMetadata, projectResources } from "./project-metadata.ts";
import type { Sharing } from "./sharing.ts";

/** What a claim asks for, got, and is bound to. */
export function projectVolumeClaim(claim: FieldReader, share: Sharing): KubePersistentVolumeClaim {
  const spec = claim.optionalObject("spec");
  const status = claim.optionalObject("status");
  return {
    metadata: projectMetadata(claim, share),
    spec: spec && {
      volumeName: spec.optionalText("volumeName"),
      storageClassName: pooled(share.text, spec.optionalText("storageClassName")),
      resources: projectResources(spec, "resources", share),
    },
    status: status && {
      phase: pooled(share.text, status.optionalText("phase")),
      capacity: pooled(share.texts, status.optionalQuantities("capacity")),
    },
  };
}

/** A volume's size, class, driver and claim. */
export function projectVolume(volume: FieldReader, share: Sharing): KubePersistentVolume {
  const spec = volume.optionalObject("spec");
  const status = volume.optionalObject("status");
  const claim = spec?.optionalObject("claimRef");
  const csi = spec?.optionalObject("csi");
  return {
    metadata: projectMetadata(volume, share),
    spec: spec && {
      capacity: pooled(share.texts, spec.optionalQuantities("capacity")),
      storageClassName: pooled(share.text, spec.optionalText("storageClassName")),
      claimRef: claim && {
        namespace: pooled(share.text, claim.optionalText("namespace")),
        name: claim.optionalText("name"),
        uid: claim.optionalText("uid"),
      },
      csi: csi && { driver: pooled(share.text, csi.optionalText("driver")) },
    },
    status: status && { phase: pooled(share.text, status.optionalText("phase")) },
  };
}

/** A service's type and addresses. */
export function projectService(service: FieldReader, share: Sharing): KubeService {
  const spec = service.optionalObject("spec");
  return {
    metadata: projectMetadata(service, share),
    spec: spec && {
      type: pooled(share.text, spec.optionalText("type")),
      clusterIP: spec.optionalText("clusterIP"),
      clusterIPs: spec.optionalTexts("clusterIPs"),
    },
  };
}

/** A quota's limits and what is used of them. */
export function projectQuota(quota: FieldReader, share: Sharing): KubeResourceQuota {
  const spec = quota.optionalObject("spec");
  const status = quota.optionalObject("status");
  return {
    metadata: projectMetadata(quota, share),
    spec: spec && { hard: pooled(share.texts, spec.optionalQuantities("hard")) },
    status: status && {
      hard: pooled(share.texts, status.optionalQuantities("hard")),
      used: pooled(share.texts, status.optionalQuantities("used")),
    },
  };
}
