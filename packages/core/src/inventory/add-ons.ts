import type { ClusterFacts, KubeWorkload } from "@plimsoll/contracts";
import {
  type AddOnSign,
  CNI_SIGNS,
  COREDNS_SIGNS,
  CSI_SIGNS,
  INGRESS_SIGNS,
  KUBE_PROXY_SIGNS,
} from "./add-on-signs.ts";
import { type ImageReference, parseImage } from "./image-reference.ts";

/** Add-ons found, `null` = not found or not readable; versions are image tags. */
export interface AddOns {
  readonly kubeProxyVersion: string | null;
  readonly corednsVersion: string | null;
  readonly cni: string | null;
  readonly cniVersion: string | null;
  /** Sorted names; null when nothing that could name one was readable. */
  readonly csiDrivers: readonly string[] | null;
  readonly ingress: string | null;
  readonly ingressVersion: string | null;
}

/**
 * Add-ons from the images of DaemonSets and Deployments, CSI drivers also from the volumes that exist. `nodeInfo` names a
 * kube-proxy version too, but it only repeats the kubelet's.
 */
export function findAddOns(objects: ClusterFacts["objects"]): AddOns {
  const daemonSets = imagesOf(objects.daemonsets.known ? objects.daemonsets.value : []);
  const deployments = imagesOf(objects.deployments.known ? objects.deployments.value : []);
  const cni = firstMatch(CNI_SIGNS, daemonSets);
  const ingress = firstMatch(INGRESS_SIGNS, [...deployments, ...daemonSets]);
  return {
    kubeProxyVersion: firstMatch(KUBE_PROXY_SIGNS, daemonSets)?.version ?? null,
    corednsVersion: firstMatch(COREDNS_SIGNS, [...deployments, ...daemonSets])?.version ?? null,
    cni: cni?.name ?? null,
    cniVersion: cni?.version ?? null,
    csiDrivers: csiDrivers(objects, daemonSets),
    ingress: ingress?.name ?? null,
    ingressVersion: ingress?.version ?? null,
  };
}

function csiDrivers(objects: ClusterFacts["objects"], daemonSets: readonly ImageReference[]): readonly string[] | null {
  const { persistentvolumes: volumes } = objects;
  if (!volumes.known && !objects.daemonsets.known) return null;
  const inUse = (volumes.known ? volumes.value : []).flatMap(({ spec }) => spec?.csi?.driver ?? []);
  const installed = CSI_SIGNS.filter((sign) => daemonSets.some((image) => sign.image.test(image.repository)));
  return [...new Set([...inUse, ...installed.map((sign) => sign.name)])].sort();
}

function firstMatch(
  signs: readonly AddOnSign[],
  images: readonly ImageReference[],
): { readonly name: string; readonly version: string | null } | undefined {
  for (const sign of signs) {
    const image = images.find(({ repository }) => sign.image.test(repository));
    if (image) return { name: sign.name, version: image.tag };
  }
  return undefined;
}

/** Images of the workloads, those of kube-system first; each image once. */
function imagesOf(workloads: readonly KubeWorkload[]): readonly ImageReference[] {
  const isSystem = (workload: KubeWorkload): boolean => workload.metadata.namespace === "kube-system";
  const ordered = [...workloads.filter(isSystem), ...workloads.filter((workload) => !isSystem(workload))];
  const containers = ordered.flatMap((workload) => workload.spec?.template?.spec?.containers ?? []);
  return [...new Set(containers.flatMap(({ image }) => image ?? []))].map(parseImage);
}
