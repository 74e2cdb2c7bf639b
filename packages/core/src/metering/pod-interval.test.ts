import type { KubeContainerStatus, KubePod } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { formatInstant } from "./instant.ts";
import { podInterval } from "./pod-interval.ts";

const SCHEDULED = { type: "PodScheduled", status: "True", lastTransitionTime: "2026-01-31T08:00:00Z" };

function podOf(status: KubePod["status"], more: Partial<KubePod["metadata"]> = {}, nodeName = "n1"): KubePod {
  return {
    metadata: { name: "cart", namespace: "shop", uid: "u1", creationTimestamp: "2026-01-31T07:00:00Z", ...more },
    spec: { nodeName, containers: [] },
    ...(status ? { status } : {}),
  };
}
const finished = (name: string, finishedAt: string): KubeContainerStatus => ({
  name,
  state: { terminated: { finishedAt } },
});

/** Start and end as clock times with their sources. */
function said(pod: KubePod): readonly (string | null)[] | undefined {
  const read = podInterval(pod);
  if (!read) return undefined;
  if (read.checked.status === "quarantined") return ["quarantined"];
  const { start, end } = read.checked.interval;
  const clock = (instant: bigint): string => formatInstant(instant).slice(11, -1);
  return [clock(start), read.startSource, end === null ? null : clock(end), read.endSource];
}

describe("a pod holds its node", () => {
  test("from PodScheduled, and for ever while it runs", () => {
    expect(said(podOf({ phase: "Running", conditions: [SCHEDULED], startTime: "2026-01-31T08:00:09Z" }))).toEqual([
      "08:00:00",
      "PodScheduled",
      null,
      null,
    ]);
  });

  test("to the end of its last container, init containers included", () => {
    const status = {
      phase: "Succeeded",
      conditions: [SCHEDULED],
      initContainerStatuses: [finished("i", "2026-01-31T08:00:05Z")],
      containerStatuses: [finished("a", "2026-01-31T08:00:10Z"), finished("b", "2026-01-31T08:00:07Z")],
    };
    expect(said(podOf(status))).toEqual(["08:00:00", "PodScheduled", "08:00:10", "finishedAt"]);
  });

  test("still, where containers have finished but the pod has not", () => {
    const status = {
      phase: "Running",
      conditions: [SCHEDULED],
      containerStatuses: [finished("a", "2026-01-31T08:00:10Z")],
    };
    expect(said(podOf(status))).toEqual(["08:00:00", "PodScheduled", null, null]);
  });

  test.each<[string, KubePod["status"], Partial<KubePod["metadata"]>, string, string]>([
    [
      "its disruption",
      {
        conditions: [
          SCHEDULED,
          { type: "DisruptionTarget", status: "True", lastTransitionTime: "2026-01-31T08:20:00Z" },
        ],
      },
      {},
      "08:20:00",
      "condition",
    ],
    [
      "the loss of its readiness",
      { conditions: [SCHEDULED, { type: "Ready", status: "False", lastTransitionTime: "2026-01-31T08:21:00Z" }] },
      {},
      "08:21:00",
      "condition",
    ],
    [
      "its deletion",
      { conditions: [SCHEDULED] },
      { deletionTimestamp: "2026-01-31T08:22:00Z" },
      "08:22:00",
      "deletionTimestamp",
    ],
    ["nothing known: it is billed nothing and says so", { conditions: [SCHEDULED] }, {}, "08:00:00", "unknown"],
  ])("to %s, once it failed without container states", (_, status, metadata, end, source) => {
    expect(said(podOf({ phase: "Failed", ...status }, metadata))).toEqual(["08:00:00", "PodScheduled", end, source]);
  });

  test.each([
    [{ phase: "Running", startTime: "2026-01-31T08:00:09Z" }, "08:00:09", "startTime"],
    [{ phase: "Running", conditions: [{ ...SCHEDULED, status: "False" }] }, "07:00:00", "creationTimestamp"],
    [undefined, "07:00:00", "creationTimestamp"],
  ])("from the next best time where PodScheduled is unknown: %j", (status, start, source) => {
    expect(said(podOf(status))).toEqual([start, source, null, null]);
  });

  test("never, where it was never bound to one", () => {
    expect(podInterval(podOf({ phase: "Pending" }, {}, ""))).toBeUndefined();
  });

  test("not at all, where its end lies long before its start", () => {
    const status = {
      phase: "Failed",
      conditions: [SCHEDULED],
      containerStatuses: [finished("a", "2026-01-31T07:59:00Z")],
    };
    expect(said(podOf(status))).toEqual(["quarantined"]);
  });

  test("from no time that is none: the error names pod and field", () => {
    const status = { phase: "Running", conditions: [{ ...SCHEDULED, lastTransitionTime: "soon" }] };
    expect(() => podInterval(podOf(status))).toThrow('Pod/shop/cart PodScheduled is "soon"');
  });
});
