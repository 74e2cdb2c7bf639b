import type { KubeResource, ObjectMeta } from "@plimsoll/contracts";
import { KUBE_RESOURCES } from "../../kube/resources.ts";
import { resourceOfKind } from "./known-kinds.ts";
import type { ObjectStore } from "./object-store.ts";

/** Resources that some object of the store refers to: as owner, as claim, as volume. They exist, whatever was dumped. */
export function referredResources(store: ObjectStore): ReadonlySet<KubeResource> {
  const referred = new Set<KubeResource>();
  const seeOwners = ({ ownerReferences = [] }: ObjectMeta) => {
    for (const owner of ownerReferences) {
      const resource = resourceOfKind(owner.kind, owner.apiVersion);
      if (resource !== undefined) referred.add(resource);
    }
  };
  for (const resource of KUBE_RESOURCES) {
    for (const object of store.objects(resource)) seeOwners(object.metadata);
  }
  const claims = store.objects("pods").some((pod) => pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim));
  if (claims || store.objects("persistentvolumes").some((volume) => volume.spec?.claimRef)) {
    referred.add("persistentvolumeclaims");
  }
  if (store.objects("persistentvolumeclaims").some((claim) => claim.spec?.volumeName))
    referred.add("persistentvolumes");
  return referred;
}
