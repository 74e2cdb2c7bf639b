import { readFileSync } from "node:fs";
import type { KubePod, QuantityTexts } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { parseResources } from "../quantity/resource-nanos.ts";
import { podChargedRequests, podRequests } from "./pod-requests.ts";

interface PodVector {
  readonly name: string;
  readonly pod: KubePod;
  readonly requests: QuantityTexts;
}
const vectors: { cases: PodVector[] } = JSON.parse(
  readFileSync(new URL("../../../../test/vectors/pod-requests.json", import.meta.url), "utf8"),
);

function podOf(spec: Partial<KubePod["spec"]>, status?: KubePod["status"]): KubePod {
  return {
    metadata: { name: "cart", namespace: "shop", uid: "u1" },
    spec: { containers: [], ...spec },
    ...(status ? { status } : {}),
  };
}

const container = (name: string, cpu: string): KubePod["spec"]["containers"][number] => ({
  name,
  resources: { requests: { cpu } },
});
const sidecar = (name: string, cpu: string): KubePod["spec"]["containers"][number] => ({
  ...container(name, cpu),
  restartPolicy: "Always",
});
const nanos = (texts: QuantityTexts): ReadonlyMap<string, bigint> => parseResources(texts, "expected");

describe("a pod requests", () => {
  test.each(vectors.cases)("what the vectors say: $name", ({ pod, requests }) => {
    expect(podRequests(pod)).toEqual(nanos(requests));
  });

  test("the running sum of sidecars as each starts, so their order matters", () => {
    const late = podOf({ containers: [container("c", "1")], initContainers: [container("i", "4"), sidecar("s", "2")] });
    const early = podOf({
      containers: [container("c", "1")],
      initContainers: [sidecar("s", "2"), container("i", "4")],
    });
    expect(podRequests(late)).toEqual(nanos({ cpu: "4" }));
    expect(podRequests(early)).toEqual(nanos({ cpu: "6" }));
  });

  test("its pod-level cpu, memory and hugepages in place of the sum, nothing else", () => {
    const pod = podOf({
      containers: [{ name: "c", resources: { requests: { cpu: "1", memory: "1Gi", "nvidia.com/gpu": "1" } } }],
      resources: { requests: { cpu: "500m", "hugepages-2Mi": "4Mi", "nvidia.com/gpu": "8" } },
      overhead: { cpu: "100m" },
    });
    const expected = { cpu: "600m", memory: "1Gi", "hugepages-2Mi": "4Mi", "nvidia.com/gpu": "1" };
    expect(podRequests(pod)).toEqual(nanos(expected));
  });

  test("the largest of spec, allocation and status at pod level during a resize; the status alone when infeasible", () => {
    const spec = { containers: [], resources: { requests: { cpu: "8", memory: "1Gi" } } };
    const status = { allocatedResources: { cpu: "2" }, resources: { requests: { cpu: "1" } } };
    const infeasible = [{ type: "PodResizePending", status: "True", reason: "Infeasible" }];
    expect(podRequests(podOf(spec, status))).toEqual(nanos({ cpu: "8", memory: "1Gi" }));
    expect(podRequests(podOf(spec, { ...status, conditions: infeasible }))).toEqual(nanos({ cpu: "2", memory: "0" }));
  });

  test("its spec where a status has an allocation but no resources, and for ordinary init containers always", () => {
    const pod = podOf(
      { containers: [container("c", "1")], initContainers: [container("i", "2")] },
      {
        containerStatuses: [{ name: "c", allocatedResources: { cpu: "9" } }],
        initContainerStatuses: [{ name: "i", resources: { requests: { cpu: "9" } } }],
      },
    );
    expect(podRequests(pod)).toEqual(nanos({ cpu: "2" }));
  });

  test("nothing that is no quantity: the error names pod, container and value", () => {
    const broken = { containers: [container("web", "1 Gi")] };
    expect(() => podRequests(podOf(broken))).toThrow(
      'Pod/shop/cart spec.containers[web].resources.requests.cpu is "1 Gi", which is no Kubernetes quantity',
    );
    const status = { containerStatuses: [{ name: "web", resources: { requests: { cpu: "x" } } }] };
    expect(() => podRequests(podOf({ containers: [container("web", "1")] }, status))).toThrow(
      "Pod/shop/cart status.containerStatuses[web].resources.requests.cpu",
    );
  });
});

describe("a pod is charged", () => {
  const spec = {
    containers: [container("c", "1")],
    initContainers: [sidecar("s", "500m"), container("i", "4")],
    overhead: { cpu: "100m" },
  };
  test.each([
    ["True", "1600m"],
    ["False", "4600m"],
    ["Unknown", "4600m"],
  ])("for init containers until Initialized, sidecars and overhead for life: %s → %s", (status, cpu) => {
    expect(podChargedRequests(podOf(spec, { conditions: [{ type: "Initialized", status }] }))).toEqual(nanos({ cpu }));
  });

  test("as it requests while no condition says that it is initialized", () => {
    expect(podChargedRequests(podOf(spec))).toEqual(podRequests(podOf(spec)));
  });

  test("for its pod-level request, initialized or not", () => {
    const pod = podOf(
      { ...spec, resources: { requests: { cpu: "3" } } },
      { conditions: [{ type: "Initialized", status: "True" }] },
    );
    expect(podChargedRequests(pod)).toEqual(nanos({ cpu: "3100m" }));
  });
});
