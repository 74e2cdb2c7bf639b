import type { KubePod } from "@plimsoll/contracts";
import { expect, test } from "vitest";
import { isCountedPod, isFinishedPod, isPendingPod } from "./pod-phase.ts";

test.each([
  ["n1", "Running", "counted"],
  ["n1", "Pending", "counted"],
  ["n1", "Unknown", "counted"],
  ["n1", undefined, "counted"],
  ["n1", "Succeeded", "finished"],
  ["n1", "Failed", "finished"],
  [undefined, "Pending", "pending"],
  ["", "Pending", "pending"],
  [undefined, "Failed", "finished"],
  [undefined, undefined, "neither"],
] as const)("a pod on %s in phase %s is %s", (nodeName, phase, is) => {
  const pod: KubePod = {
    metadata: { name: "p", uid: "u" },
    spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
    ...(phase ? { status: { phase } } : {}),
  };
  expect([isCountedPod(pod), isPendingPod(pod), isFinishedPod(pod)]).toEqual([
    is === "counted",
    is === "pending",
    is === "finished",
  ]);
});
