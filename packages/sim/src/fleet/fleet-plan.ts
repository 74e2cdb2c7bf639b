import { itemAt, type NonEmpty } from "../random/non-empty.ts";
import { createRandom } from "../random/random.ts";
import type { Labels } from "../records/pod-template.ts";
import type { CloudProfile, Region, Release } from "./cloud-profile.ts";
import { ack } from "./clouds/ack.ts";
import { aks } from "./clouds/aks.ts";
import { eks } from "./clouds/eks.ts";
import { gke } from "./clouds/gke.ts";
import { k3s } from "./clouds/k3s.ts";
import { kubeadm } from "./clouds/kubeadm.ts";
import { rke2 } from "./clouds/rke2.ts";
import { tke } from "./clouds/tke.ts";
import { BUSINESS_UNITS, type BusinessUnit, ENVIRONMENT_LABELS } from "./organisation.ts";
import { type Sickness, sicknessAt } from "./sickness.ts";

/** The distributions of twenty clusters; a larger fleet repeats them. */
const CLOUDS: NonEmpty<CloudProfile> = [
  ack,
  eks,
  gke,
  tke,
  aks,
  kubeadm,
  ack,
  eks,
  tke,
  gke,
  ack,
  eks,
  k3s,
  aks,
  ack,
  tke,
  rke2,
  eks,
  gke,
  k3s,
];

/** What is decided of a cluster before anything of it exists. */
export interface ClusterPlan {
  readonly index: number;
  /** Unique in the fleet; a DNS label. */
  readonly name: string;
  /** Seed of everything in the cluster. */
  readonly seed: string;
  readonly cloud: CloudProfile;
  readonly region: Region;
  readonly release: Release;
  /** Release of its kubelets: older than the server's in the middle of an upgrade. */
  readonly kubelet: string;
  readonly businessUnit: BusinessUnit;
  /** Value of the label env. */
  readonly environment: string;
  readonly sickness: Sickness;
  /** What a person would register it with. */
  readonly labels: Labels;
}

/** The plans of the first `count` clusters of the fleet that `seed` makes. A larger fleet begins with the same clusters. */
export function planFleet(seed: string, count: number, withSickness: boolean): readonly ClusterPlan[] {
  return Array.from({ length: count }, (_, index) => planCluster(seed, index, withSickness));
}

function planCluster(seed: string, index: number, withSickness: boolean): ClusterPlan {
  const random = createRandom(`${seed}/plan/${index}`);
  const cloud = itemAt(CLOUDS, index);
  const businessUnit = itemAt(BUSINESS_UNITS, index);
  const environment = itemAt(ENVIRONMENT_LABELS, index);
  const region = random.pick(cloud.regions);
  const releaseIndex = random.integer(0, cloud.releases.length - 1);
  const release = itemAt(cloud.releases, releaseIndex);
  const sickness = withSickness ? sicknessAt(index) : "none";
  const older = itemAt(cloud.releases, Math.max(0, releaseIndex - 1));
  const serial = String(index + 1).padStart(2, "0");
  const name = `${businessUnit.short}-${environment}-${region.short}-${serial}`;
  return {
    index,
    name,
    seed: `${seed}/${name}`,
    cloud,
    region,
    release,
    kubelet: sickness === "old-kubelets" ? older.kubelet : release.kubelet,
    businessUnit,
    environment,
    sickness,
    labels: {
      env: environment,
      "business-unit": businessUnit.name,
      tenant: businessUnit.tenant,
      // Every seventh cluster was registered without saying who pays for it.
      ...(index % 7 === 6 ? {} : { "cost-center": businessUnit.teams[0].costCenter }),
    },
  };
}
