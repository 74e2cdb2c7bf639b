import type { CostOwner, CostPlace, CostRecord } from "../../packages/hub/src/warehouse/cost-record.ts";
import { HOUR, HOUR_MS } from "../hub/facts.ts";

const PLACE: CostPlace = {
  clusterId: "prod-eu",
  nodeUid: "node-uid-a",
  nodeName: "node-a",
  nodePool: "general",
  machineDeployment: null,
  instanceId: null,
  instanceType: "m6i.xlarge",
  region: "eu-central-1",
  zone: "eu-central-1a",
  pricing: "on-demand",
  priceSource: "default",
};

/** Whom the priced rows of tests belong to. */
export const OWNER: CostOwner = {
  namespace: "shop",
  workloadType: "Deployment",
  workloadName: "cart",
  costCenter: "cc-7",
  env: null,
  ownerTeam: "web",
  labelSource: "pod",
  labels: '{"app":"cart","example.com/a~b":"yes"}',
  mode: "push",
};

/** A priced row: 9,007,199.254740993 for integrals beyond 64 bits. */
export function costRecord(place: Partial<CostPlace> = {}, change: Partial<CostRecord> = {}): CostRecord {
  return {
    hourStartMs: HOUR,
    upToMs: HOUR + HOUR_MS,
    revision: 1,
    place: { ...PLACE, ...place },
    owner: OWNER,
    resource: "cpu",
    resourceKind: "cpu",
    costKind: "workload",
    requested: 4n * (2n ** 63n - 1n),
    used: 0n,
    allocated: 4n * (2n ** 63n - 1n),
    cost: 9_007_199_254_740_993n,
    currency: "USD",
    coveragePpm: 1_000_000,
    ...change,
  };
}
