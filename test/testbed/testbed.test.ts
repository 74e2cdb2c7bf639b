import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isRecord } from "./api-client.ts";
import { isAlive, withFileLock } from "./file-lock.ts";
import {
  ApiError,
  type Cluster,
  contextOf,
  createObjects,
  daemonSet,
  deadContext,
  deployment,
  ensureBinaries,
  loadPods,
  namespace,
  node,
  silentContext,
  startCluster,
  waitUntilSettled,
  writeKubeconfig,
} from "./index.ts";

const run = promisify(execFile);
const room = mkdtempSync(join(tmpdir(), "testbed-test-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));

describe("one cluster with usage", () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ name: "one", gitVersion: "v1.34.2-eks-4f4795d", usage: true });
    await createObjects(cluster, [
      namespace("shop", { "cost-center": "cc-1" }),
      node({ name: "good-1", provider: "aws", zone: "us-east-1a" }),
      node({ name: "good-2", provider: "aws", zone: "us-east-1b" }),
      node({ name: "bad", state: "notReady" }),
      node({ name: "closed", cordoned: true }),
      daemonSet({ namespace: "kube-system", name: "agent" }), // kwok knows no usage of a node without a pod
      deployment({
        namespace: "shop",
        name: "web",
        replicas: 3,
        pod: { containers: [{ requests: { cpu: "100m", memory: "64Mi" } }], usage: { cpu: "120m", memory: "90Mi" } },
      }),
    ]);
    await waitUntilSettled(cluster, { usage: true });
  });
  afterAll(() => cluster?.stop());

  test("answers /version with the chosen string", async () => {
    expect(await cluster.api.get("/version")).toMatchObject({ gitVersion: "v1.34.2-eks-4f4795d" });
  });

  test("has nodes in the states that were asked for", async () => {
    const lines = (await cluster.kubectl(["get", "nodes", "--no-headers"])).trim().split("\n");
    const states = Object.fromEntries(lines.map((line) => line.split(/\s+/).slice(0, 2)));
    expect(states).toEqual({
      "good-1": "Ready",
      "good-2": "Ready",
      bad: "NotReady",
      closed: "Ready,SchedulingDisabled",
    });
  });

  test("runs the pods of a Deployment on schedulable nodes only", async () => {
    const pods = await cluster.api.list("/api/v1/namespaces/shop/pods");
    const places = pods.map(({ status, spec }) => [field(status, "phase"), field(spec, "nodeName")]);
    expect(places).toHaveLength(3);
    for (const [phase, nodeName] of places) {
      expect(phase).toBe("Running");
      expect(["good-1", "good-2"]).toContain(nodeName);
    }
  });

  test("serves the annotated usage through metrics.k8s.io", async () => {
    const pods = await cluster.api.list("/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods");
    expect(pods).toHaveLength(3);
    for (const { containers } of pods) {
      const usage = Array.isArray(containers) ? field(containers[0], "usage") : undefined;
      expect(usage).toMatchObject({ memory: "90Mi" });
      const nanocores = Number.parseInt(String(field(usage, "cpu")), 10); // "119999922n"
      expect(nanocores / 1e6).toBeCloseTo(120, 0);
    }
    const nodes = await cluster.api.list("/apis/metrics.k8s.io/v1beta1/nodes");
    expect(nodes.map(({ metadata }) => metadata.name).sort()).toEqual(["closed", "good-1", "good-2"]);
  });

  test("listens on 127.0.0.1 only", () => {
    const addresses = cluster.processes.flatMap(({ pid }) => listeningAddresses(pid));
    expect(addresses.length).toBeGreaterThanOrEqual(5);
    expect(new Set(addresses)).toEqual(new Set(["127.0.0.1"]));
  });

  test.each([
    ["admin", "nodes", undefined],
    ["withoutNodes", "pods", undefined],
    ["withoutNodes", "nodes", "(Forbidden)"],
    ["withoutRights", "pods", "(Forbidden)"],
    ["invalid", "pods", "(Unauthorized)"],
    ["expired", "pods", "(Unauthorized)"],
  ] as const)("token %s listing %s: %s", async (token, resource, refusal) => {
    const path = writeKubeconfig(join(room, `${token}.kubeconfig`), [contextOf(cluster, { token })]);
    const answer = kubectl(cluster, path, ["get", resource, "-A"]);
    if (refusal === undefined) await expect(answer).resolves.toBeTruthy();
    else await expect(answer).rejects.toThrow(refusal);
  });

  test("accepts its client certificate and refuses the expired one", async () => {
    const context = { name: "cert", server: cluster.server, caFile: cluster.caFile };
    const good = writeKubeconfig(join(room, "certificate.kubeconfig"), [
      { ...context, credentials: { kind: "certificate", ...cluster.clientCertificate } },
    ]);
    expect(await kubectl(cluster, good, ["auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"])).toBe(
      "admin",
    );
    const old = writeKubeconfig(join(room, "expired.kubeconfig"), [
      { ...context, credentials: { kind: "certificate", ...cluster.expiredCertificate } },
    ]);
    await expect(kubectl(cluster, old, ["get", "pods"])).rejects.toThrow("(Unauthorized)");
  });

  test("a kubeconfig holds good, dead and silent contexts side by side", async () => {
    const silent = await silentContext("silent");
    const path = writeKubeconfig(join(room, "many.kubeconfig"), [contextOf(cluster), deadContext("dead"), silent]);
    const names = await kubectl(cluster, path, ["config", "get-contexts", "-o", "name"]);
    expect(names.trim().split("\n").sort()).toEqual(["dead", "one", "silent"]);
    const get = ["get", "namespaces", "--request-timeout=1s"];
    await expect(kubectl(cluster, path, get)).resolves.toContain("kube-system");
    await expect(kubectl(cluster, path, [...get, "--context=dead"])).rejects.toThrow("refused");
    await expect(kubectl(cluster, path, [...get, "--context=silent"])).rejects.toThrow(/timeout|deadline/i);
    await silent.close();
  });

  test("stop leaves no process and no folder", async () => {
    await cluster.stop();
    expect(cluster.processes).toHaveLength(6);
    expect(cluster.processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
    expect(existsSync(cluster.dir)).toBe(false);
    await cluster.stop(); // a second time does no harm
  });
});

describe("a bare cluster", () => {
  test("answers 410 to old revisions after a compaction, when it has no watch cache", async () => {
    const apiServerFlags = ["--watch-cache=false"];
    const cluster = await startCluster({
      name: "no-cache",
      gitVersion: "v1.36.3",
      controllers: false,
      kwok: false,
      apiServerFlags,
    });
    try {
      const old = "/api/v1/namespaces?resourceVersion=1";
      await expect(cluster.api.get(`${old}&resourceVersionMatch=Exact`)).resolves.toMatchObject({
        kind: "NamespaceList",
      });
      await cluster.compact();
      const gone = (error: unknown) => error instanceof ApiError && error.status === 410;
      await expect(cluster.api.get(`${old}&resourceVersionMatch=Exact`)).rejects.toSatisfy(gone);
      const event = await cluster.api.get(`${old}&watch=true&timeoutSeconds=5`);
      expect(event).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    } finally {
      await cluster.stop();
    }
  });

  test("holds hundreds of running pods with their owners without any controller", async () => {
    const cluster = await startCluster({ name: "bare", gitVersion: "v1.36.3", controllers: false, kwok: false });
    try {
      await loadPods(cluster, 220, { podsPerNode: 100, podsPerDeployment: 50, namespaces: 2 });
      const pods = await cluster.api.list("/api/v1/pods");
      expect(pods).toHaveLength(220);
      expect(new Set(pods.map(({ status }) => field(status, "phase")))).toEqual(new Set(["Running"]));
      expect(await cluster.api.list("/api/v1/nodes")).toHaveLength(3);
      const replicaSets = await cluster.api.list("/apis/apps/v1/replicasets");
      expect(replicaSets).toHaveLength(5);
    } finally {
      await cluster.stop();
    }
  });

  test("does not outlive a parent that was killed", async () => {
    const script = `
      import { startCluster } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
      const { processes, dir } = await startCluster({ name: "orphan", gitVersion: "v1.36.3", controllers: false });
      console.log(JSON.stringify({ pids: processes.map(({ pid }) => pid), dir }));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await new Promise<string>((resolve) => parent.stdout.once("data", (chunk) => resolve(String(chunk))));
    const { pids, dir }: { pids: number[]; dir: string } = JSON.parse(line);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 10_000 });
    await vi.waitFor(() => expect(existsSync(dir)).toBe(false), { timeout: 10_000 });
  });

  test("says why it did not start, and leaves nothing behind", async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("testbed-wrong-"));
    const start = startCluster({ name: "wrong", gitVersion: "v1.36.3", apiServerFlags: ["--no-such-flag"] });
    await expect(start).rejects.toThrow(/kube-apiserver ended.*unknown flag: --no-such-flag/s);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("testbed-wrong-"))).toEqual(before);
  });
});

describe("built programs", () => {
  test("come from the cache without Go or network", async () => {
    vi.stubEnv("PATH", "");
    const said: string[] = [];
    const { kwok } = await ensureBinaries(undefined, (line) => said.push(line));
    vi.unstubAllEnvs();
    expect(said).toEqual([]);
    expect(existsSync(kwok)).toBe(true);
  });

  test("are built once when two processes want them at the same time", async () => {
    const script = `
      import { ensureBinaries } from ${JSON.stringify(join(import.meta.dirname, "binaries.ts"))};
      console.log((await ensureBinaries(["pki"])).pki);`;
    const env = { ...process.env, PLIMSOLL_CACHE: join(room, "cache") };
    const runs = [1, 2].map(() => run(process.execPath, ["--input-type=module", "-e", script], { env }));
    const answers = await Promise.all(runs);
    expect(answers[0]?.stdout).toBe(answers[1]?.stdout);
    expect(existsSync(answers[0]?.stdout.trim() ?? "")).toBe(true);
    const said = answers.map(({ stderr }) => stderr).join("");
    expect(said.match(/: building pki/g)).toHaveLength(1);
    expect(said.match(/: built pki in /g)).toHaveLength(1);
  });
});

describe("the file lock", () => {
  test("is taken over from a process that has died", async () => {
    const path = join(room, "dead.lock");
    const { stdout } = await run("sh", ["-c", "echo $$"]);
    writeFileSync(path, stdout.trim());
    expect(await withFileLock(path, async () => "done")).toBe("done");
    expect(existsSync(path)).toBe(false);
  });

  test("is waited for while its holder lives, and freed when the work fails", async () => {
    const path = join(room, "live.lock");
    const order: string[] = [];
    const first = withFileLock(path, async () => {
      order.push("first in");
      await vi.waitFor(() => expect(order).toContain("second waits"), { timeout: 5_000 });
      order.push("first out");
      throw new Error("work failed");
    });
    const second = withFileLock(
      path,
      async () => order.push("second in"),
      () => order.push("second waits"),
    );
    await expect(first).rejects.toThrow("work failed");
    await second;
    expect(order).toEqual(["first in", "second waits", "first out", "second in"]);
  });
});

async function kubectl(cluster: Cluster, kubeconfig: string, args: readonly string[]): Promise<string> {
  const [program, first] = cluster.kubectlCommand;
  return (await run(program, [first, `--kubeconfig=${kubeconfig}`, ...args])).stdout;
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Addresses on which a process listens (Linux: its socket inodes in /proc/net/tcp and tcp6). */
function listeningAddresses(pid: number): string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]),
  );
  const rows = ["tcp", "tcp6"].flatMap((file) => readFileSync(`/proc/net/${file}`, "utf8").trim().split("\n").slice(1));
  return rows.flatMap((row) => {
    const columns = row.trim().split(/\s+/);
    const listens = columns[3] === "0A" && inodes.has(columns[9]);
    return listens ? [addressOf(columns[1] ?? "")] : [];
  });
}

function addressOf(hex: string): string {
  const [address = ""] = hex.split(":");
  if (address.length !== 8) return `IPv6 ${address}`;
  return [6, 4, 2, 0].map((at) => Number.parseInt(address.slice(at, at + 2), 16)).join(".");
}
