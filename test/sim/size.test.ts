import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** What an agent lists and follows in each cluster. */
const RESOURCES = [
  ...["nodes", "pods", "namespaces", "services", "persistentvolumeclaims", "persistentvolumes", "resourcequotas"].map(
    (resource) => `/api/v1/${resource}`,
  ),
  ...["deployments", "replicasets", "statefulsets", "daemonsets"].map((resource) => `/apis/apps/v1/${resource}`),
  ...["jobs", "cronjobs"].map((resource) => `/apis/batch/v1/${resource}`),
];
/** Long enough for a round of jobs and of bookmarks. */
const FOLLOW_SECONDS = 65;
const METRICS_ROUNDS = 5;
/** Lists are short-lived garbage: by default V8 lets it take up to 30 MB more before it looks. */
const SMALL_NURSERY = "--max-semi-space-size=4";

const dir = mkdtempSync(join(tmpdir(), "sim-size-"));
const children = new Set<ChildProcess>();

// The first start after a change of the code strips its types and keeps the result; that takes 35 MB once.
beforeAll(async () => {
  const { child } = await startSimulator(1);
  await stop(child);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

describe("the simulator's memory", () => {
  test("grows by less than 1.2 MB a cluster when all of them are listed, followed and measured", async () => {
    const [few, many] = await Promise.all([measure(20), measure(200)]);
    // The difference of two processes of one run: what Node itself takes differs between machines and cancels out.
    const perCluster = (many.residentMegabytes - few.residentMegabytes) / (many.clusters - few.clusters);
    console.log(`${perCluster.toFixed(2)} MB a cluster`);
    expect(perCluster).toBeLessThan(1.2);
    expect(many.residentMegabytes).toBeLessThan(400);
  });
});

interface Measured {
  readonly clusters: number;
  readonly residentMegabytes: number;
}

async function measure(clusters: number): Promise<Measured> {
  const { address, names, child } = await startSimulator(clusters);
  let pods = 0;
  let events = 0;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const watches: http.ClientRequest[] = [];
  for (const name of names) {
    for (const path of RESOURCES) {
      const list = await getJson(agent, `${address}/clusters/${name}${path}`);
      if (path.endsWith("/pods")) pods += list.items.length;
      const since = list.metadata.resourceVersion;
      const url = `${address}/clusters/${name}${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${since}`;
      watches.push(follow(url, (lines) => (events += lines)));
    }
  }
  for (let round = 0; round < METRICS_ROUNDS; round++) {
    await sleep((FOLLOW_SECONDS * 1000) / METRICS_ROUNDS);
    for (const name of names) await getJson(agent, `${address}/clusters/${name}/apis/metrics.k8s.io/v1beta1/pods`);
  }
  const figures = { clusters, pods, watches: watches.length, events, ...memoryOf(child.pid) };
  console.log(JSON.stringify(figures));
  for (const watch of watches) watch.destroy();
  agent.destroy();
  expect(pods / clusters).toBeGreaterThan(110);
  expect(events / clusters).toBeGreaterThan(10);
  expect(await stop(child)).toBe(0);
  return figures;
}

async function startSimulator(clusters: number) {
  const kubeconfig = join(dir, `${clusters}.kubeconfig`);
  const options = `--clusters ${clusters} --seed 9 --port 0 --healthy --kubeconfig ${kubeconfig}`.split(" ");
  const args = [SMALL_NURSERY, "packages/sim/bin/simulator.js", ...options, "--token", ""];
  const child = spawn("node", args, { stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const found = /http:\/\/\S+/.exec(chunk.toString("utf8"))?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the simulator ended with ${code}`)));
  });
  const names = [...readFileSync(kubeconfig, "utf8").matchAll(/server: "[^"]*\/clusters\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  return { address, names, child };
}

function stop(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGINT");
  });
}

interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly unknown[];
}

function getJson(agent: http.Agent, url: string): Promise<List> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${url}: ${response.statusCode} ${text}`));
        });
      })
      .on("error", reject);
  });
}

function follow(url: string, onLines: (count: number) => void): http.ClientRequest {
  const call = http.get(url, { agent: false }, (response) => {
    response.on("data", (chunk: Buffer) => onLines(chunk.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)));
    response.on("error", () => undefined);
  });
  return call.on("error", () => undefined);
}

/** Resident memory now and at its highest, as the kernel counts it. */
function memoryOf(pid: number | undefined): { residentMegabytes: number; peakMegabytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (field: string) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
  return { residentMegabytes: megabytes("VmRSS"), peakMegabytes: megabytes("VmHWM") };
}
