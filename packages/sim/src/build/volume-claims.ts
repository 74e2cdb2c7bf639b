import type { WorkloadOrder } from "../controllers/workload-order.ts";
import type { VolumeRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";

/** Makes sure of the claim of a StatefulSet's pod and gives its name. */
export type ClaimMaker = (order: WorkloadOrder, pod: string, gib: number) => string;

/** Creates claims with their volumes on first demand; a pod that comes back finds its own again. */
export function claimMaker(world: ClusterWorld, since: Seconds): ClaimMaker {
  return ({ namespace, labels }, pod, gib) => {
    const name = `data-${pod}`;
    if (world.store.get("persistentvolumeclaims", namespace, name) !== undefined) return name;
    const uid = world.random.uuid();
    const volume = `pvc-${uid}`;
    const storageClass = world.plan.cloud.storage.className;
    world.store.put({
      resource: "persistentvolumeclaims",
      namespace,
      name,
      uid,
      createdAt: since,
      labels,
      storageClass,
      gib,
      volume,
    });
    world.store.put(volumeRecord(world, volume, since, gib, { namespace, name, uid }, "Bound"));
    return name;
  };
}

/** A volume whose claim was deleted long ago: still paid for. */
export function createOrphanVolume(world: ClusterWorld, namespace: string, since: Seconds): void {
  const claim = { namespace, name: "data-retired-0", uid: world.random.uuid() };
  world.store.put(volumeRecord(world, `pvc-${claim.uid}`, since, 100, claim, "Released"));
}

function volumeRecord(
  world: ClusterWorld,
  name: string,
  createdAt: Seconds,
  gib: number,
  claim: VolumeRecord["claim"],
  phase: VolumeRecord["phase"],
): VolumeRecord {
  const { className, driver, volumeHandle } = world.plan.cloud.storage;
  return {
    resource: "persistentvolumes",
    namespace: "",
    name,
    uid: world.random.uuid(),
    createdAt,
    labels: {},
    storageClass: className,
    driver,
    handle: volumeHandle(world.random),
    gib,
    claim,
    phase,
  };
}
