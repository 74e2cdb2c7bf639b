import { PlimsollError } from "@plimsoll/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KUBE_RESOURCES } from "../kube/resources.ts";
import { createProjectors } from "./projectors.ts";

const metadata = (more: object = {}) => ({
  name: "web-1",
  namespace: "shop",
  uid: "u-1",
  creationTimestamp: "2026-01-31T08:00:00Z",
  resourceVersion: "7",
  managedFields: [{ manager: "kubelet" }],
  labels: { app: "web" },
  ...more,
});

/** JSON of a projection: members that are undefined are absent. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PlimsollError && error.code === "object_unusable") return error.message;
    throw error;
  }
  return "no error";
}

describe("projections keep what is read and nothing else", () => {
  test("a pod without env, commands, secrets and foreign annotations", () => {
    const pod = {
      metadata: metadata({
        annotations: {
          CapacityProvisioned: "0.25vCPU 0.5GB",
          "kubectl.kubernetes.io/last-applied-configuration": "{}",
        },
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "ReplicaSet",
            name: "web",
            uid: "r",
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      }),
      spec: {
        nodeName: "node-1",
        serviceAccountName: "default",
        priorityClassName: "high",
        overhead: { cpu: "10m" },
        containers: [
          {
            name: "web",
            image: "registry/web:1",
            command: ["sh"],
            env: [{ name: "PASSWORD", value: "secret" }],
            resources: {
              requests: { cpu: "100m", memory: "1Gi" },
              limits: { memory: "2Gi" },
              claims: [{ name: "gpu" }],
            },
          },
        ],
        initContainers: [{ name: "proxy", image: "p", restartPolicy: "Always", resources: {} }],
        volumes: [
          { name: "data", persistentVolumeClaim: { claimName: "data-0", readOnly: true } },
          { name: "keys", secret: { secretName: "keys" } },
        ],
      },
      status: {
        phase: "Running",
        startTime: "2026-01-31T08:00:01Z",
        podIP: "10.0.0.1",
        conditions: [
          { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: "2026-01-31T08:00:05Z" },
        ],
        containerStatuses: [
          {
            name: "web",
            ready: true,
            restartCount: 2,
            imageID: "sha",
            state: { running: { startedAt: "2026-01-31T08:00:03Z" } },
            lastState: { terminated: { exitCode: 1 } },
            allocatedResources: { cpu: "100m" },
            resources: { requests: { cpu: "100m" } },
          },
        ],
        initContainerStatuses: [
          { name: "a", state: { terminated: { exitCode: 0, finishedAt: "f", startedAt: "s", reason: "Completed" } } },
          { name: "b", state: { waiting: { reason: "PodInitializing", message: "m" } } },
        ],
      },
    };
    const slim = createProjectors().pods(pod, "pods shop/web-1");
    expect(plain(slim)).toEqual({
      metadata: {
        name: "web-1",
        namespace: "shop",
        uid: "u-1",
        creationTimestamp: "2026-01-31T08:00:00Z",
        labels: { app: "web" },
        annotations: { CapacityProvisioned: "0.25vCPU 0.5GB" },
        ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "r", controller: true }],
      },
      spec: {
        nodeName: "node-1",
        priorityClassName: "high",
        overhead: { cpu: "10m" },
        containers: [
          {
            name: "web",
            image: "registry/web:1",
            resources: { requests: { cpu: "100m", memory: "1Gi" }, limits: { memory: "2Gi" } },
          },
        ],
        initContainers: [{ name: "proxy", image: "p", restartPolicy: "Always" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-0" } }],
      },
      status: {
        phase: "Running",
        startTime: "2026-01-31T08:00:01Z",
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-31T08:00:05Z" }],
        containerStatuses: [
          {
            name: "web",
            ready: true,
            restartCount: 2,
            allocatedResources: { cpu: "100m" },
            resources: { requests: { cpu: "100m" } },
            state: { running: { startedAt: "2026-01-31T08:00:03Z" } },
          },
        ],
        initContainerStatuses: [
          { name: "a", state: { terminated: { finishedAt: "f", startedAt: "s", reason: "Completed" } } },
          { name: "b", state: { waiting: { reason: "PodInitializing" } } },
        ],
      },
    });
    expect(JSON.stringify(slim)).not.toContain("secret");
  });

  test("resources in force that are none, which is not the same as unknown: a resize is judged by it", () => {
    const containerStatuses = [{ name: "a", allocatedResources: { cpu: "1" }, resources: {} }, { name: "b" }];
    const pod = { metadata: metadata(), spec: { containers: [] }, status: { containerStatuses, resources: {} } };
    const { status } = createProjectors().pods(pod, "pods shop/web-1");
    expect(status?.containerStatuses?.map(({ resources }) => resources)).toEqual([{}, undefined]);
    expect(status?.resources).toEqual({});
  });

  test("a node without images and attached volumes", () => {
    const node = {
      metadata: { name: "n", uid: "u" },
      spec: {
        providerID: "aws:///eu/i-1",
        unschedulable: true,
        taints: [{ key: "gpu", value: "yes", effect: "NoSchedule", timeAdded: "t" }],
        podCIDR: "10.0.0.0/24",
        podCIDRs: ["10.0.0.0/24"],
      },
      status: {
        capacity: { cpu: "4", memory: "16Gi" },
        allocatable: { cpu: 3.5 },
        conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "h" }],
        nodeInfo: { kubeletVersion: "v1.36.1", osImage: "Debian", architecture: "amd64", machineID: "secret-id" },
        addresses: [{ type: "InternalIP", address: "10.0.0.5" }],
        images: [{ names: ["a"], sizeBytes: 1 }],
        volumesAttached: [{ name: "v" }],
      },
    };
    expect(plain(createProjectors().nodes(node, "nodes n"))).toEqual({
      metadata: { name: "n", uid: "u" },
      spec: {
        providerID: "aws:///eu/i-1",
        unschedulable: true,
        taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }],
        podCIDR: "10.0.0.0/24",
        podCIDRs: ["10.0.0.0/24"],
      },
      status: {
        capacity: { cpu: "4", memory: "16Gi" },
        allocatable: { cpu: "3.5" },
        conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "h" }],
        nodeInfo: { kubeletVersion: "v1.36.1", osImage: "Debian", architecture: "amd64" },
        addresses: [{ type: "InternalIP", address: "10.0.0.5" }],
      },
    });
  });

  test.each([
    {
      resource: "deployments" as const,
      raw: {
        spec: {
          replicas: 2,
          strategy: {},
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ name: "c", image: "i", env: [] }] },
          },
        },
      },
      slim: {
        kind: "Deployment",
        spec: {
          replicas: 2,
          template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        },
      },
    },
    {
      resource: "cronjobs" as const,
      raw: { spec: { schedule: "* * * * *", jobTemplate: { spec: {} } } },
      slim: { kind: "CronJob", spec: {} },
    },
    {
      resource: "namespaces" as const,
      raw: { spec: { finalizers: [] }, status: { phase: "Active" } },
      slim: { status: { phase: "Active" } },
    },
    {
      resource: "persistentvolumeclaims" as const,
      raw: {
        spec: {
          volumeName: "v",
          storageClassName: "ssd",
          accessModes: [],
          resources: { requests: { storage: "1Gi" } },
        },
        status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: [] },
      },
      slim: {
        spec: { volumeName: "v", storageClassName: "ssd", resources: { requests: { storage: "1Gi" } } },
        status: { phase: "Bound", capacity: { storage: "1Gi" } },
      },
    },
    {
      resource: "persistentvolumes" as const,
      raw: {
        spec: {
          capacity: { storage: "1Gi" },
          storageClassName: "ssd",
          claimRef: { kind: "PersistentVolumeClaim", namespace: "shop", name: "data", uid: "c" },
          csi: { driver: "ebs.csi.aws.com", volumeHandle: "vol-1" },
        },
        status: { phase: "Bound" },
      },
      slim: {
        spec: {
          capacity: { storage: "1Gi" },
          storageClassName: "ssd",
          claimRef: { namespace: "shop", name: "data", uid: "c" },
          csi: { driver: "ebs.csi.aws.com" },
        },
        status: { phase: "Bound" },
      },
    },
    {
      resource: "services" as const,
      raw: { spec: { type: "LoadBalancer", clusterIP: "10.96.0.1", clusterIPs: ["10.96.0.1"], ports: [] }, status: {} },
      slim: { spec: { type: "LoadBalancer", clusterIP: "10.96.0.1", clusterIPs: ["10.96.0.1"] } },
    },
    {
      resource: "resourcequotas" as const,
      raw: { spec: { hard: { cpu: 4 }, scopes: [] }, status: { hard: { cpu: "4" }, used: { cpu: "1500m" } } },
      slim: { spec: { hard: { cpu: "4" } }, status: { hard: { cpu: "4" }, used: { cpu: "1500m" } } },
    },
  ])("$resource", ({ resource, raw, slim }) => {
    const object = { apiVersion: "x", kind: "Other", metadata: { name: "a", uid: "u" }, ...raw };
    expect(plain(createProjectors()[resource](object, "a"))).toEqual({ metadata: { name: "a", uid: "u" }, ...slim });
  });
});

describe("a bad shape is refused with object and field", () => {
  const pods = createProjectors().pods;
  const container = { name: "c" };
  test.each([
    { raw: "text", reason: "pods a: it is a text, not an object" },
    { raw: {}, reason: "pods a: spec is missing" },
    { raw: { spec: { containers: [] } }, reason: "pods a: metadata is missing" },
    { raw: { metadata: { name: "a" } }, reason: "pods a: spec is missing" },
    { raw: { metadata: { name: "a" }, spec: { containers: [] } }, reason: "pods a: metadata.uid is missing" },
    { raw: { metadata: metadata(), spec: {} }, reason: "pods a: spec.containers is missing" },
    { raw: { metadata: metadata(), spec: { containers: {} } }, reason: "spec.containers is an object, not a list" },
    { raw: { metadata: metadata(), spec: { containers: [{}] } }, reason: "spec.containers[0].name is missing" },
    {
      raw: { metadata: metadata({ labels: { app: 1 } }), spec: { containers: [container] } },
      reason: 'metadata.labels["app"] is a number, not a text',
    },
    {
      raw: { metadata: metadata(), spec: { containers: [{ ...container, resources: { requests: { cpu: {} } } }] } },
      reason: 'spec.containers[0].resources.requests["cpu"] is an object, not a quantity',
    },
    {
      raw: { metadata: metadata(), spec: { containers: [container], nodeName: 7 } },
      reason: "spec.nodeName is a number, not a text",
    },
    {
      raw: { metadata: metadata(), spec: { containers: [container] }, status: [] },
      reason: "status is a list, not an object",
    },
  ])("$reason", ({ raw, reason }) => {
    expect(reasonOf(() => pods(raw, "pods a"))).toContain(reason);
  });

  test("null is as good as absent, numbers are quantities", () => {
    const raw = {
      metadata: metadata({ labels: null, deletionTimestamp: null }),
      spec: { nodeName: null, containers: [{ name: "c", resources: { requests: { cpu: 2, memory: null } } }] },
      status: null,
    };
    const slim = pods(raw, "a");
    expect(slim.metadata.labels).toBeUndefined();
    expect(slim.spec.containers[0]?.resources?.requests).toEqual({ cpu: "2" });
    expect(slim.status).toBeUndefined();
  });

  test("whatever JSON comes, a projection is made or object_unusable thrown, and prototypes stay untouched", () => {
    const projectors = createProjectors();
    fc.assert(
      fc.property(fc.constantFrom(...KUBE_RESOURCES), fc.json({ maxDepth: 4 }), (resource, text) => {
        const raw = JSON.parse(
          `{"metadata":{"name":"a","uid":"u","labels":{"__proto__":"x"}},"spec":${text},"status":${text}}`,
        );
        reasonOf(() => projectors[resource](raw, "a"));
      }),
    );
    expect(Object.keys({})).toEqual([]);
  });
});

describe("what objects repeat is held once", () => {
  test("pods of one workload share labels, containers and owners", () => {
    const { pods } = createProjectors();
    const raw = (name: string) =>
      JSON.parse(
        JSON.stringify({
          metadata: metadata({ name, uid: name, ownerReferences: [{ kind: "ReplicaSet", name: "web", uid: "r" }] }),
          spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] },
        }),
      );
    const [a, b] = [pods(raw("a"), ""), pods(raw("b"), "")];
    expect(a.metadata.labels).toBe(b.metadata.labels);
    expect(a.spec.containers).toBe(b.spec.containers);
    expect(a.metadata.ownerReferences).toBe(b.metadata.ownerReferences);
    expect(a.metadata.name).not.toBe(b.metadata.name);
  });

  test("two sets of projections share nothing", () => {
    const raw = { metadata: metadata(), spec: { containers: [{ name: "c" }] } };
    const [a, b] = [createProjectors().pods(raw, ""), createProjectors().pods(raw, "")];
    expect(a.spec.containers).not.toBe(b.spec.containers);
  });
});
