import { type Finding, type KubePod, PlimsollError, reportError, SEVERITIES, type Usage } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { reportCluster } from "../report/report-cluster.ts";
import { type FactsSketch, forbidden, known, sampleFacts, sampleNode, samplePod } from "../report/sample-facts.ts";
import { FINDING_TABLE, type FindingCode } from "./finding-table.ts";

/** Labels that make a pod's cost somebody's, so that only what the test is about is found. */
const LABELS = { "cost-center": "cc", env: "prod", "owner-team": "web" };
const QUIET_POD = { node: "a", labels: LABELS, requests: { cpu: "1", memory: "1Gi" } };

const usage = (nodes: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  known<Usage>({
    source: "metrics.k8s.io",
    nodes: Object.entries(nodes).map(([node, texts]) => ({ node, usage: texts })),
    pods: [],
  });

/** A cluster in which nothing is to be found: one node, one pod, usage read. */
function find({ objects, ...rest }: FactsSketch): readonly Finding[] {
  const quiet = { nodes: [sampleNode("a")], pods: [samplePod("p", QUIET_POD)] };
  const sketch = { usage: usage({ a: { cpu: "1", memory: "1Gi" } }), ...rest, objects: { ...quiet, ...objects } };
  return reportCluster(sampleFacts(sketch)).report.findings;
}

const only = (findings: readonly Finding[], code: FindingCode) => findings.filter((finding) => finding.code === code);
const pods = (count: number, sketch: Parameters<typeof samplePod>[1]): readonly KubePod[] =>
  Array.from({ length: count }, (_, index) => samplePod(`p${index}`, sketch));

describe("the finding table", () => {
  it("has a known severity, a message and a remedy for every code", () => {
    for (const { severity, message, remedy } of Object.values(FINDING_TABLE)) {
      expect(SEVERITIES).toContain(severity);
      expect(message.length * remedy.length).toBeGreaterThan(0);
    }
  });
});

describe("a quiet cluster", () => {
  it("has no findings", () => {
    expect(find({})).toEqual([]);
  });
});

describe("a node", () => {
  it("that is NotReady is found, with the reason that it gives", () => {
    const broken = sampleNode("b", {
      ready: "Unknown",
      conditions: [],
    });
    const nodes = [...Array.from({ length: 10 }, (_, i) => sampleNode(`n${i}`)), sampleNode("a"), broken];
    expect(only(find({ objects: { nodes } }), "node_not_ready")).toMatchObject([
      { severity: "warning", object: "Node/b", message: "Node b is NotReady: its condition Ready is Unknown" },
    ]);
    expect(only(find({ objects: { nodes } }), "many_nodes_not_ready")).toEqual([]);
  });

  it("is one of many that are NotReady: one finding for all, and a critical one over 10 %", () => {
    const nodes = [sampleNode("a"), ...Array.from({ length: 9 }, (_, i) => sampleNode(`b${i}`, { ready: "False" }))];
    const findings = find({ objects: { nodes } });
    expect(only(findings, "node_not_ready")).toMatchObject([
      { object: "Cluster/test", message: "9 nodes are NotReady: b0, b1, b2, b3, b4 and 4 more" },
    ]);
    expect(findings[0]).toMatchObject({ code: "many_nodes_not_ready", severity: "critical" });
    expect(findings[0]?.message).toBe("9 of 10 nodes are NotReady (over 10 %)");
    const alone = find({ objects: { nodes: [sampleNode("b", { ready: "False" })] } });
    expect(only(alone, "many_nodes_not_ready")[0]?.message).toBe("1 of 1 node is NotReady (over 10 %)");
  });

  it("under pressure is found", () => {
    const conditions = [
      { type: "DiskPressure", status: "True" },
      { type: "MemoryPressure", status: "False" },
    ];
    expect(only(find({ objects: { nodes: [sampleNode("a", { conditions })] } }), "node_pressure")).toMatchObject([
      { object: "Node/a", message: "Node a reports DiskPressure" },
    ]);
  });

  it("without a price is found", () => {
    const nodes = [sampleNode("a"), sampleNode("b", { capacity: { pods: "110" } })];
    expect(only(find({ objects: { nodes } }), "node_unpriced")).toMatchObject([{ object: "Node/b" }]);
  });

  it("whose charged shares were rescaled is found", () => {
    const nodes = [sampleNode("a", { allocatable: { cpu: "500m", memory: "15Gi", pods: "110" } })];
    expect(only(find({ objects: { nodes } }), "node_over_committed")).toMatchObject([{ object: "Node/a" }]);
  });
});

describe("a watermark", () => {
  const requesting = (cpu: string) =>
    find({ objects: { pods: [samplePod("p", { ...QUIET_POD, requests: { cpu, memory: "1Gi" } })] } });

  it.each([
    ["2999m", []],
    ["3", ["watermark_high"]],
    ["3599m", ["watermark_high"]],
    ["3600m", ["watermark_critical"]],
    ["4", ["watermark_critical"]],
  ])("of %s requested of 4 cores crosses %j", (cpu, codes) => {
    const found = requesting(cpu).filter(({ message }) => message.startsWith("cpu"));
    expect(found.map(({ code }) => code)).toEqual(codes);
  });

  it("above what is allocatable is over-commitment", () => {
    const found = requesting("5").filter(({ message }) => message.startsWith("cpu"));
    expect(found).toMatchObject([
      { code: "requests_over_allocatable", severity: "critical", message: expect.stringContaining("125 %") },
    ]);
  });

  it("of used is apart from that of requested", () => {
    const findings = find({ usage: usage({ a: { cpu: "3900m", memory: "13Gi" } }) });
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ["watermark_critical", "cpu: 97 % of what is allocatable is used (line 90 %)"],
      ["watermark_high", "memory: 81 % of what is allocatable is used (line 75 %)"],
    ]);
  });
});

describe("usage", () => {
  it("that could not be read is found, with the reason", () => {
    expect(only(find({ usage: forbidden("pods.metrics.k8s.io") }), "usage_missing")).toMatchObject([
      { message: "No usage figures: No right to list pods.metrics.k8s.io in context test" },
    ]);
  });

  it.each([
    ["cluster_timeout", "Try again, or allow more with --timeout SECONDS"],
    ["cluster_forbidden", "Grant the read rights in deploy/rbac/scan.yaml; until then figures that need x are unknown"],
    ["dump_usage_missing", "Add them with: kubectl get --raw"],
    ["usage_not_served", "Install metrics-server"],
  ] as const)("that could not be read has a remedy that fits its reason: %s", (code, remedy) => {
    const error = reportError(
      new PlimsollError(code, { resource: "x", what: "x", seconds: 1, path: "x", cluster: "x" }),
    );
    const [finding] = only(find({ usage: { known: false, error } }), "usage_missing");
    expect(finding?.remedy).toMatch(new RegExp(`^${RegExp.escape(remedy)}`));
  });

  it("that some nodes do not report is found", () => {
    const nodes = [sampleNode("a"), sampleNode("b"), sampleNode("broken", { ready: "False" })];
    expect(only(find({ objects: { nodes } }), "usage_partial")).toMatchObject([
      { message: "1 of 2 schedulable nodes report no usage: b" },
    ]);
  });
});

describe("pods", () => {
  it("that find no node are found, each while they are few, together when many", () => {
    const message = "0/1 nodes are available: 1 Insufficient cpu.";
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }];
    const stuck = { labels: LABELS, requests: QUIET_POD.requests, status: { phase: "Pending", conditions } };
    const gated = {
      ...stuck,
      status: {
        phase: "Pending",
        conditions: [{ ...conditions[0], type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
      },
    };
    expect(only(find({ objects: { pods: pods(2, stuck) } }), "pod_unschedulable")).toMatchObject([
      { object: "Pod/shop/p0", message: `Pod shop/p0 finds no node: ${message}` },
      { object: "Pod/shop/p1" },
    ]);
    const many = only(find({ objects: { pods: pods(5000, stuck) } }), "pod_unschedulable");
    expect(many).toMatchObject([{ object: "Cluster/test", message: expect.stringMatching(/^5000 pods find no node/) }]);
    expect(only(find({ objects: { pods: pods(1, gated) } }), "pod_unschedulable")).toEqual([]);
  });

  it("on a node that was not read are found: no figure has them", () => {
    const lost = pods(3, { ...QUIET_POD, node: "gone" });
    expect(only(find({ objects: { pods: lost } }), "pods_on_missing_node")).toMatchObject([
      { message: "3 pods are bound to nodes that are not among those read (gone): they are in no figure" },
    ]);
  });

  it("without requests are counted in one finding; pod-level requests are requests", () => {
    const none = pods(5000, { node: "a", labels: LABELS, requests: { cpu: "1m" } });
    expect(only(find({ objects: { pods: none } }), "requests_missing")).toMatchObject([
      { severity: "info", message: "5000 containers in 5000 pods request no cpu or no memory" },
    ]);
    const level = { containers: [{ name: "main" }], resources: { requests: { cpu: "1", memory: "1Gi" } } };
    const found = find({
      objects: { pods: pods(1, { node: "a", labels: LABELS, spec: { ...level, nodeName: "a" } }) },
    });
    expect(only(found, "requests_missing")).toEqual([]);
  });

  it("that ask for a fraction of a byte are found once per workload", () => {
    const owners = [{ kind: "StatefulSet", name: "db", uid: "db", controller: true }];
    const wrong = { ...QUIET_POD, owners, requests: { cpu: "1m", memory: "512m" } };
    expect(only(find({ objects: { pods: pods(9, wrong) } }), "quantity_likely_mistake")).toMatchObject([
      {
        object: "StatefulSet/shop/db",
        message: "shop/db sets requests.memory of container main to 512m, a fraction of a byte",
      },
    ]);
  });

  it("of the cluster itself that keep crashing are found", () => {
    const status = {
      phase: "Running",
      containerStatuses: [{ name: "m", state: { waiting: { reason: "CrashLoopBackOff" } } }],
    };
    const crashing = [samplePod("dns", { ...QUIET_POD, namespace: "kube-system", status })];
    expect(only(find({ objects: { pods: crashing } }), "system_component_failing")).toMatchObject([
      { severity: "critical", object: "Pod/kube-system/dns" },
    ]);
  });

  it("that nobody is named for are counted per label", () => {
    const namespaces = [{ metadata: { name: "shop", uid: "shop", labels: { env: "prod" } } }];
    const unlabelled = [...pods(3, { ...QUIET_POD, labels: {} }), samplePod("q", QUIET_POD)];
    const found = only(find({ objects: { pods: unlabelled, namespaces } }), "label_missing");
    expect(found.map(({ message }) => message)).toEqual([
      "3 of 4 pods have no cost-center, on themselves, their workload or their namespace",
      "3 of 4 pods have no owner-team, on themselves, their workload or their namespace",
    ]);
  });
});

describe("versions", () => {
  const withKubelet = (kubeletVersion: string, ...servers: readonly string[]) =>
    find({
      serverVersions: known(servers),
      objects: { nodes: [sampleNode("a", { nodeInfo: { kubeletVersion } })] },
    }).map(({ code, severity, object }) => [code, severity, object]);

  it.each([
    ["v1.34.0", ["v1.34.2"], []],
    ["v1.32.0", ["v1.34.2"], []],
    ["v1.31.0", ["v1.34.2"], [["skew_blocks_upgrade", "warning", "Node/a"]]],
    ["v1.30.0", ["v1.34.2"], [["skew_unsupported", "critical", "Node/a"]]],
    ["v1.35.0", ["v1.34.2"], [["skew_unsupported", "critical", "Node/a"]]],
    ["v1.33.0", ["v1.33.1", "v1.34.2"], [["api_servers_differ", "info", "Cluster/test"]]],
    ["v1.32.0", ["v1.32.1", "v1.34.2"], [["api_servers_too_far_apart", "critical", "Cluster/test"]]],
    ["v0.0.0-master", ["v1.34.2"], [["version_unparseable", "warning", "Node/a"]]],
    ["v1.34.0", ["v0.0.0-master+$Format:%H$"], [["version_unparseable", "warning", "Cluster/test"]]],
  ])("kubelet %s beside API servers %j", (kubelet, servers, expected) => {
    expect(withKubelet(kubelet, ...servers)).toEqual(expected);
  });

  it("of many nodes are one finding per version", () => {
    const old = Array.from({ length: 40 }, (_, i) => sampleNode(`n${i}`, { nodeInfo: { kubeletVersion: "v1.30.1" } }));
    const found = only(find({ objects: { nodes: [sampleNode("a"), ...old] } }), "skew_unsupported");
    expect(found).toMatchObject([
      {
        object: "Cluster/test",
        message: "kubelet v1.30.1 (40 nodes) is not supported beside API server 1.34.2: it is too old",
      },
    ]);
  });

  it("of kube-proxy are read from its DaemonSet's image", () => {
    const spec = { template: { spec: { containers: [{ name: "p", image: "registry.k8s.io/kube-proxy:v1.30.0" }] } } };
    const daemonsets = [
      { kind: "DaemonSet", metadata: { name: "kube-proxy", namespace: "kube-system", uid: "kp" }, spec },
    ];
    expect(only(find({ objects: { daemonsets } }), "skew_unsupported")).toMatchObject([
      { message: expect.stringContaining("kube-proxy v1.30.0 (its DaemonSet)") },
    ]);
  });
});

describe("namespaces and storage", () => {
  const quota = (used: string) => ({
    metadata: { name: "q", namespace: "shop", uid: "q" },
    status: {
      hard: { "requests.cpu": "10", pods: "0", "requests.memory": "1Gi" },
      used: { "requests.cpu": used, pods: "0" },
    },
  });

  it.each([
    ["8999m", []],
    ["9", ["Quota shop/q is 90 % used: requests.cpu 9 of 10"]],
    ["11", ["Quota shop/q is 110 % used: requests.cpu 11 of 10"]],
  ])("a quota of 10 cores with %s used gives %j", (used, messages) => {
    const found = only(find({ objects: { resourcequotas: [quota(used)] } }), "quota_nearly_full");
    expect(found.map(({ message }) => message)).toEqual(messages);
  });

  it("volume claims that wait and volumes that nobody uses are found", () => {
    const persistentvolumeclaims = [
      {
        metadata: { name: "data", namespace: "shop", uid: "c1" },
        spec: { storageClassName: "fast" },
        status: { phase: "Pending" },
      },
      { metadata: { name: "used", namespace: "shop", uid: "c2" }, status: { phase: "Bound" } },
    ];
    const persistentvolumes = [
      {
        metadata: { name: "pv-1", uid: "v1" },
        spec: { capacity: { storage: "10Gi" }, claimRef: { namespace: "shop", name: "old" } },
        status: { phase: "Released" },
      },
    ];
    expect(find({ objects: { persistentvolumeclaims, persistentvolumes } }).map(({ message }) => message)).toEqual([
      "Volume claim shop/data is Pending (class fast)",
      "Volume pv-1 (10Gi) is Released: it costs money and nobody uses it; its last claim was shop/old",
    ]);
  });
});

describe("the label env of the cluster", () => {
  it("is a finding when it is no agreed value", () => {
    const namespaces = [{ metadata: { name: "kube-system", uid: "ks", labels: { env: "qa-7" } } }];
    expect(only(find({ objects: { namespaces } }), "environment_not_agreed")).toMatchObject([
      { object: "Namespace/kube-system", message: expect.stringContaining("qa-7") },
    ]);
  });
});
