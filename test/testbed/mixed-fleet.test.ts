import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type ApiObject, isRecord } from "./api-client.ts";
import { fetchFleet, serveFleet } from "./fleet-server.ts";
import { type Fleet, MIXED_CLUSTERS, sharedFleet } from "./index.ts";

const run = promisify(execFile);

describe("the shared mixed fleet", () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await sharedFleet();
  });

  test("answers with three version strings through one kubeconfig", async () => {
    const [program = "", first = ""] = fleet.clusters[0]?.kubectlCommand ?? [];
    const versions = MIXED_CLUSTERS.map(async (context) => {
      const args = [first, `--kubeconfig=${fleet.kubeconfig}`, `--context=${context}`, "get", "--raw", "/version"];
      const { stdout } = await run(program, args);
      return field(JSON.parse(stdout), "gitVersion");
    });
    expect(await Promise.all(versions)).toEqual(["v1.34.2-eks-4f4795d", "v1.33.5-gke.1700", "v1.36.3"]);
  });

  test("has nodes of every kind that capacity tells apart", async () => {
    const nodes = (await Promise.all(fleet.clusters.map(({ api }) => api.list("/api/v1/nodes")))).flat();
    const count = (is: (node: ApiObject) => boolean) => nodes.filter(is).length;
    expect({
      all: count(() => true),
      cordoned: count(({ spec }) => field(spec, "unschedulable") === true),
      notReady: count((node) => readyStatus(node) === "False"),
      unknown: count((node) => readyStatus(node) === "Unknown"),
      gpu: count(({ status }) => field(field(status, "capacity"), "nvidia.com/gpu") !== undefined),
      virtual: count(({ metadata }) => field(field(metadata, "labels"), "type") === "virtual-kubelet"),
      aws: count(({ spec }) => String(field(spec, "providerID")).startsWith("aws:///")),
      gcp: count(({ spec }) => String(field(spec, "providerID")).startsWith("gce://")),
    }).toEqual({ all: 16, cordoned: 1, notReady: 1, unknown: 1, gpu: 3, virtual: 1, aws: 7, gcp: 4 });
  });

  test("has pods of every owner, phase and shape", async () => {
    const pods = await fleet.cluster("eks-prod").api.list("/api/v1/pods");
    const owners = new Set(pods.flatMap(({ metadata }) => list(field(metadata, "ownerReferences"))).map(kindOf));
    expect(owners).toEqual(new Set(["ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Node", "Rollout"]));
    const phases = new Set(pods.map(({ status }) => field(status, "phase")));
    expect(phases).toEqual(new Set(["Running", "Pending", "Succeeded", "Failed"]));
    const having = (name: string) => pods.filter(({ spec }) => field(spec, name) !== undefined).length;
    expect(having("overhead")).toBe(2);
    expect(having("resources")).toBe(1);
    expect(having("initContainers")).toBe(5);
  });

  test("binds claims that have a volume and counts quotas", async () => {
    const { api } = fleet.cluster("self-built");
    const claims = await api.list("/api/v1/persistentvolumeclaims");
    expect(claims.map(({ status }) => field(status, "phase")).sort()).toEqual(["Bound", "Bound", "Pending"]);
    const quota = await api.get("/api/v1/namespaces/shop/resourcequotas/team");
    // web 2 × 600m (its init container), db 2 × 500m, cache 2 × (100m + 250m overhead)
    expect(field(field(quota, "status"), "used")).toMatchObject({ pods: "6", "requests.cpu": "2900m" });
  });

  test("knows the usage of every ready node", async () => {
    for (const { api } of fleet.clusters) {
      const nodes = (await api.list("/api/v1/nodes")).filter((node) => readyStatus(node) === "True");
      const figures = await api.list("/apis/metrics.k8s.io/v1beta1/nodes");
      expect(figures.map(({ metadata }) => metadata.name).sort()).toEqual(
        nodes.map(({ metadata }) => metadata.name).sort(),
      );
    }
  });

  test("is one and the same for everyone who asks", async () => {
    const again = await sharedFleet();
    expect(again.clusters.map(({ server }) => server)).toEqual(fleet.clusters.map(({ server }) => server));
  });
});

test("a fleet that is still starting when the run ends leaves nothing behind", async () => {
  const folders = () =>
    readdirSync(tmpdir()).filter((name) => /^testbed-(eks-prod|gke-staging|self-built)-/.test(name));
  const before = folders();
  const server = await serveFleet();
  const asked = expect(fetchFleet(server.socketPath)).rejects.toThrow("the run has ended");
  await vi.waitFor(() => expect(folders().length).toBeGreaterThan(before.length), { timeout: 20_000 });
  await server.close();
  await asked;
  expect(folders()).toEqual(before);
});

function readyStatus({ status }: ApiObject): unknown {
  return list(field(status, "conditions")).find((each) => field(each, "type") === "Ready")?.status;
}

function kindOf(value: unknown): unknown {
  return field(value, "kind");
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
