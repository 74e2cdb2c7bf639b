import type { KubePod, QuantityTexts } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { parseResources } from "../quantity/resource-nanos.ts";
import { podLimits } from "./pod-limits.ts";

type Container = KubePod["spec"]["containers"][number];

function podOf(spec: Partial<KubePod["spec"]>, status?: KubePod["status"]): KubePod {
  return { metadata: { name: "p", uid: "u" }, spec: { containers: [], ...spec }, ...(status ? { status } : {}) };
}
const limited = (name: string, limits: QuantityTexts, more: Partial<Container> = {}): Container => ({
  name,
  resources: { limits },
  ...more,
});
const ALL = { cpu: "1", memory: "1Gi", "ephemeral-storage": "1Gi" };
const nanos = (texts: QuantityTexts): ReadonlyMap<string, bigint> => parseResources(texts, "expected");

describe("limits of a pod", () => {
  test("follow the formula of requests, with overhead only where the limit is not zero", () => {
    const pod = podOf({
      containers: [limited("a", { cpu: "1", memory: "0" }), limited("b", { cpu: "500m" })],
      initContainers: [limited("s", { cpu: "1" }, { restartPolicy: "Always" }), limited("i", { cpu: "3" })],
      overhead: { cpu: "100m", memory: "64Mi", "ephemeral-storage": "1Gi" },
    });
    expect(podLimits(pod).limits).toEqual(nanos({ cpu: "4100m", memory: "0" }));
  });

  test("during a resize are the larger of spec and status, without the allocation; when infeasible the status alone", () => {
    const spec = { containers: [limited("a", { cpu: "4" })] };
    const containerStatuses = [{ name: "a", allocatedResources: { cpu: "9" }, resources: { limits: { cpu: "2" } } }];
    const conditions = [{ type: "PodResizePending", status: "True", reason: "Infeasible" }];
    expect(podLimits(podOf(spec, { containerStatuses })).limits).toEqual(nanos({ cpu: "4" }));
    expect(podLimits(podOf(spec, { containerStatuses, conditions })).limits).toEqual(nanos({ cpu: "2" }));
  });

  test("at pod level stay those of the spec where the status names none, even when the resize is infeasible", () => {
    const conditions = [{ type: "PodResizePending", status: "True", reason: "Infeasible" }];
    const spec = { containers: [], resources: { limits: { cpu: "4" } } };
    const inForce = { resources: { limits: { cpu: "2" } }, conditions };
    expect(podLimits(podOf(spec, { resources: { requests: { cpu: "1" } }, conditions })).limits).toEqual(
      nanos({ cpu: "4" }),
    );
    expect(podLimits(podOf(spec, inForce)).limits).toEqual(nanos({ cpu: "2" }));
  });
});

describe("a limit is partial", () => {
  const partial = (pod: KubePod): readonly string[] => [...podLimits(pod).partial];

  test.each<[string, KubePod, string[]]>([
    ["where every container has one: no", podOf({ containers: [limited("a", ALL), limited("b", ALL)] }), []],
    [
      "where one container has none",
      podOf({ containers: [limited("a", ALL), limited("b", { cpu: "1", "ephemeral-storage": "1" })] }),
      ["memory"],
    ],
    [
      "where a container has no resources at all",
      podOf({ containers: [{ name: "a" }] }),
      ["cpu", "memory", "ephemeral-storage"],
    ],
    [
      "where it is 0, which the runtime takes for none",
      podOf({ containers: [limited("a", { ...ALL, cpu: "0" })] }),
      ["cpu"],
    ],
    [
      "where a sidecar has none",
      podOf({
        containers: [limited("a", ALL)],
        initContainers: [{ name: "s", restartPolicy: "Always", resources: { limits: { cpu: "1", memory: "1" } } }],
      }),
      ["ephemeral-storage"],
    ],
    [
      "not for devices, of which a container gets only what it names",
      podOf({ containers: [limited("a", { ...ALL, "nvidia.com/gpu": "1" }), limited("b", ALL)] }),
      [],
    ],
    [
      "not where the pod as a whole has one",
      podOf({ containers: [{ name: "a" }], resources: { limits: { cpu: "1", memory: "1Gi" } } }),
      ["ephemeral-storage"],
    ],
  ])("%s", (_, pod, resources) => {
    expect(partial(pod)).toEqual(resources);
  });

  test("by an ordinary init container only until it is done", () => {
    const spec = { containers: [limited("a", ALL)], initContainers: [{ name: "i" }] };
    const done = { conditions: [{ type: "Initialized", status: "True" }] };
    expect(partial(podOf(spec))).toEqual(["cpu", "memory", "ephemeral-storage"]);
    expect(partial(podOf(spec, done))).toEqual([]);
  });
});
