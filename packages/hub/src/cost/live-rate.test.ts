import type { NodeRow } from "@plimsoll/contracts/wire";
import { DEFAULT_PRICE_LIST } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { GIB, HOUR, nodeRow } from "../../../../test/hub/facts.ts";
import type { RunningGroup } from "../warehouse/ask-usage.ts";
import type { UsageOwner } from "../warehouse/usage-groups.ts";
import { liveCluster } from "./live-rate.ts";

const CORE = 31_611_000n;
const GIB_HOUR = 4_237_000n;

const OWNER: UsageOwner = {
  key: "cart",
  namespace: "shop",
  workloadType: "Deployment",
  workloadName: "cart",
  costCenter: null,
  env: null,
  ownerTeam: null,
  labelSource: "none",
  labels: "{}",
  mode: "push",
};
const PLACE = { clusterId: "c", nodeUid: "node-uid-a", nodeName: "node-a" };

function group(change: Partial<RunningGroup> = {}): RunningGroup {
  return {
    owner: OWNER,
    place: PLACE,
    resource: "cpu",
    pods: 2,
    requested: 500_000_000n,
    used: 800_000_000n,
    charged: 1_000_000_000n,
    asOfMs: HOUR + 60_000,
    ...change,
  };
}

const live = (nodes: readonly NodeRow[], running: readonly RunningGroup[]) =>
  liveCluster("c", nodes, running, DEFAULT_PRICE_LIST);

describe("the live rate of a cluster", () => {
  it("is an hour of its machines, however short they have existed, split by what runs now", () => {
    const node = nodeRow({ presentMs: 60_000, asOfMs: HOUR + 60_000 });
    const memory = group({ resource: "memory", charged: BigInt(2 * GIB) });
    expect(live([node], [group(), memory])?.rate).toEqual({
      clusterId: "c",
      currency: "USD",
      total: 4n * CORE + 16n * GIB_HOUR,
      workloads: CORE + 2n * GIB_HOUR,
      idle: (CORE * 29n) / 10n + 13n * GIB_HOUR,
      system: CORE / 10n + GIB_HOUR,
      asOfMs: HOUR + 60_000,
      priceSource: "default",
      unpriced: [],
    });
  });

  it("stands with what namespaces ask for, use and cost; unknown usage is not zero", () => {
    const running = [
      group(),
      group({
        owner: { ...OWNER, key: "pay", workloadName: "pay" },
        resource: "memory",
        requested: 7n,
        used: null,
        charged: BigInt(GIB),
      }),
      group({
        owner: { ...OWNER, key: "batch", namespace: "batch" },
        place: { ...PLACE, nodeName: "lost", nodeUid: null },
      }),
    ];
    const { namespaces, rate } = live([nodeRow()], running) ?? { namespaces: [] };
    expect(namespaces).toEqual([
      {
        namespace: "batch",
        cpuRequested: 500_000_000n,
        cpuUsed: 800_000_000n,
        memoryRequested: 0n,
        memoryUsed: null,
        hourly: 0n,
      },
      {
        namespace: "shop",
        cpuRequested: 500_000_000n,
        cpuUsed: 800_000_000n,
        memoryRequested: 7n,
        memoryUsed: null,
        hourly: CORE + GIB_HOUR,
      },
    ]);
    expect(rate?.unpriced).toEqual(["lost"]);
  });

  it("is unknown where no node is known", () => {
    expect(live([], [group()])).toBeUndefined();
  });
});
