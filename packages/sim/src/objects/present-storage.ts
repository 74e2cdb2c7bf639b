import type { ClaimRecord, NamespaceRecord, QuotaRecord, ServiceRecord, VolumeRecord } from "../records/records.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentMetadata } from "./present-metadata.ts";

export function presentNamespace(record: NamespaceRecord, revision: number): KubeJson {
  const { labels, annotations } = record;
  return {
    metadata: presentMetadata(record, revision, { labels, ...(annotations === undefined ? {} : { annotations }) }),
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

export function presentClaim(record: ClaimRecord, revision: number): KubeJson {
  const storage = `${record.gib}Gi`;
  return {
    metadata: presentMetadata(record, revision, { labels: record.labels }),
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage } },
      volumeName: record.volume,
      storageClassName: record.storageClass,
      volumeMode: "Filesystem",
    },
    status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage } },
  };
}

export function presentVolume(record: VolumeRecord, revision: number): KubeJson {
  const { claim, gib, storageClass, driver, handle, phase } = record;
  return {
    metadata: presentMetadata(record, revision, { labels: record.labels }),
    spec: {
      capacity: { storage: `${gib}Gi` },
      csi: { driver, volumeHandle: handle, fsType: "ext4" },
      accessModes: ["ReadWriteOnce"],
      claimRef: { kind: "PersistentVolumeClaim", apiVersion: "v1", ...claim },
      persistentVolumeReclaimPolicy: phase === "Released" ? "Retain" : "Delete",
      storageClassName: storageClass,
      volumeMode: "Filesystem",
    },
    status: { phase },
  };
}

export function presentService(record: ServiceRecord, revision: number): KubeJson {
  const { type, clusterIp, port, selector } = record;
  const loadBalancer = type === "LoadBalancer" ? { ingress: [{ ip: `203.0.113.${1 + (port % 250)}` }] } : {};
  return {
    metadata: presentMetadata(record, revision, { labels: record.labels }),
    spec: {
      ports: [{ name: "main", protocol: "TCP", port, targetPort: port }],
      selector: Object.keys(selector).length === 0 ? undefined : selector,
      clusterIP: clusterIp,
      clusterIPs: [clusterIp],
      type,
      sessionAffinity: "None",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    },
    status: { loadBalancer },
  };
}

export function presentQuota(record: QuotaRecord, revision: number): KubeJson {
  const { hard, used } = record;
  return { metadata: presentMetadata(record, revision, {}), spec: { hard }, status: { hard, used } };
}
