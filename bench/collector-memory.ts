/**
 * `node bench/collector-memory.ts [--pods 5000] [--nodes 100] [--page 500] [--seconds 5]`: resident memory of a process
 * that lists and watches pods and nodes over TLS and holds their projections, while 50 pods a second change. Three runs per
 * size of V8's young generation (the median counts), each in a process of its own; the API is a small server in another process. Ends with 1
 * when the advised size needs more than the limit.
 */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const LIMIT_MB = 150;
const AIM_MB = 110;
/** V8's default of 16 MiB lets more garbage stand than a stream of single objects needs. */
const ADVISED_MIB = 4;
const RUNS = 3;

const { values } = parseArgs({
  options: {
    role: { type: "string", default: "bench" },
    pods: { type: "string", default: "5000" },
    nodes: { type: "string", default: "100" },
    page: { type: "string", default: "500" },
    seconds: { type: "string", default: "5" },
    server: { type: "string", default: "" },
  },
});
const PODS = Number(values.pods);
const NODES = Number(values.nodes);
const testdata = (name: string) =>
  readFileSync(new URL(`../packages/collect/src/kube/testing/testdata/${name}`, import.meta.url), "utf8");

if (values.role === "server") await serve();
else if (values.role === "collector") await collect(values.server);
else await bench();

async function bench(): Promise<void> {
  const server = await startServer();
  console.log(
    `node ${process.version}, ${PODS} pods of ${server.podBytes} bytes and ${NODES} nodes, pages of ${values.page}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  let held = Number.POSITIVE_INFINITY;
  try {
    // Fills the compile cache, which an installed command has too.
    await runCollector(server.url, ADVISED_MIB);
    for (const mib of [undefined, 8, ADVISED_MIB, 2]) {
      const figures = await medianRun(server.url, mib);
      const flag = mib === undefined ? "no flag" : `--max-semi-space-size=${mib}`;
      console.log(
        `${flag.padEnd(26)} synced in ${figures.syncedMs} ms, ${figures.cpuMs} ms of CPU; RSS ${figures.rssMb} MB ` +
          `(peak ${figures.peakMb}, heap ${figures.heapMb} after collection), ${figures.events} events`,
      );
      if (mib === ADVISED_MIB) held = figures.rssMb;
    }
  } finally {
    server.stop();
  }
  console.log(`advised: ${held} MB = ${(held / LIMIT_MB).toFixed(2)} × the limit of ${LIMIT_MB} MB (aim ${AIM_MB})`);
  process.exitCode = held <= LIMIT_MB ? 0 : 1;
}

interface Figures {
  readonly syncedMs: number;
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly peakMb: number;
  readonly heapMb: number;
  readonly events: number;
}

function child<T>(role: string, more: readonly string[], execArgv: readonly string[]) {
  const args = ["--role", role, ...process.argv.slice(2), ...more];
  const process_ = fork(new URL(import.meta.url).pathname, args, {
    execArgv: [...execArgv],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "plimsoll-bench-compiled") },
  });
  const message = new Promise<T>((resolve, reject) => {
    process_.once("message", (value) => resolve(value as T));
    process_.once("exit", (code) => reject(new Error(`${role} ended with ${code}`)));
  });
  return { process: process_, message };
}

async function startServer(): Promise<{ url: string; podBytes: number; stop(): void }> {
  const server = child<{ url: string; podBytes: number }>("server", [], []);
  return { ...(await server.message), stop: () => server.process.kill() };
}

async function runCollector(server: string, semiSpaceMib: number | undefined): Promise<Figures> {
  const flags = semiSpaceMib === undefined ? [] : [`--max-semi-space-size=${semiSpaceMib}`];
  const collector = child<Figures>("collector", ["--server", server], ["--expose-gc", ...flags]);
  const figures = await collector.message;
  collector.process.kill();
  return figures;
}

/** The run of the middle by memory: how far garbage collection lags depends on what else the machine does. */
async function medianRun(server: string, semiSpaceMib: number | undefined): Promise<Figures> {
  const runs: Figures[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await runCollector(server, semiSpaceMib));
  const median = runs.sort((a, b) => a.rssMb - b.rssMb)[Math.floor(RUNS / 2)];
  if (!median) throw new Error("no run");
  return median;
}

/** Lists and watches like an agent, then tells its figures. */
async function collect(server: string): Promise<void> {
  const { createHttpConnection, createProjectors, fixedCredential, listWatch, RESOURCE_PATHS, systemClock } =
    await import("@plimsoll/collect");
  const startedAt = performance.now();
  const conn = createHttpConnection({
    server,
    context: "bench",
    credentials: fixedCredential({ headers: { authorization: "Bearer bench" } }),
    certificateAuthority: testdata("ca.crt"),
    tlsServerName: "kube.test",
    clock: systemClock,
    random: Math.random,
  });
  const projectors = createProjectors();
  const controller = new AbortController();
  let events = 0;
  const stores: Map<string, unknown>[] = [];
  const follow = (resource: "pods" | "nodes") => {
    const { promise: synced, resolve } = Promise.withResolvers<void>();
    const store = new Map();
    stores.push(store);
    const options = {
      path: RESOURCE_PATHS[resource].path,
      what: resource,
      project: (raw: unknown, where: string): object => projectors[resource](raw, where),
      store,
      pageSize: Number(values.page),
      clock: systemClock,
      random: Math.random,
      onEvent: (event: { type: string }) => {
        events += 1;
        if (event.type === "synced") resolve();
      },
    };
    listWatch(conn, options, controller.signal);
    return synced;
  };
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await Promise.all([follow("nodes"), follow("pods")]);
  const syncedMs = Math.round(performance.now() - startedAt);
  const cpuMs = Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1000);
  await new Promise((resolve) => setTimeout(resolve, Number(values.seconds) * 1000));
  clearInterval(sampler);
  const rss = process.memoryUsage.rss();
  globalThis.gc?.();
  const mb = (bytes: number) => Math.round(bytes / 1e6);
  const heapMb = mb(process.memoryUsage().heapUsed);
  const held = stores.reduce((sum, store) => sum + store.size, 0);
  if (held !== PODS + NODES) throw new Error(`holds ${held} objects`);
  process.send?.({ syncedMs, cpuMs, rssMb: mb(rss), peakMb: mb(Math.max(peak, rss)), heapMb, events });
}

/** Pages and watches of made-up pods and nodes; 50 pods a second change. */
async function serve(): Promise<void> {
  const { createServer } = await import("node:https");
  const pods = Array.from({ length: PODS }, (_, i) => JSON.stringify(makePod(i, 1)));
  const nodes = Array.from({ length: NODES }, (_, i) => JSON.stringify(makeNode(i)));
  const watchers = new Set<ServerResponse>();
  let version = 1000;
  const server = createServer({ cert: testdata("server.crt"), key: testdata("server.key") }, (request, response) => {
    const url = new URL(request.url ?? "/", "https://kube.test");
    const isPods = url.pathname.endsWith("/pods");
    response.setHeader("content-type", "application/json");
    if (url.searchParams.has("watch")) {
      response.flushHeaders();
      if (isPods) watchers.add(response);
      return response.on("close", () => watchers.delete(response));
    }
    const items = isPods ? pods : nodes;
    const from = Number(url.searchParams.get("continue") ?? 0);
    const to = from + Number(url.searchParams.get("limit") ?? items.length);
    const token = to < items.length ? `"continue":"${to}",` : "";
    return response.end(`{"metadata":{${token}"resourceVersion":"1000"},"items":[${items.slice(from, to).join(",")}]}`);
  });
  setInterval(() => {
    version += 1;
    const line = `{"type":"MODIFIED","object":${JSON.stringify(makePod(version % PODS, version))}}\n`;
    for (const watcher of watchers) watcher.write(line);
  }, 20);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `https://127.0.0.1:${port}`, podBytes: pods[0]?.length ?? 0 });
}

/** A pod of a Deployment as an API server tells it, some 7 kB. */
function makePod(i: number, version: number): object {
  const app = `app-${i % 200}`;
  const time = `2026-01-31T08:${String(i % 60).padStart(2, "0")}:${String((i * 7) % 60).padStart(2, "0")}Z`;
  const containers = ["web", "proxy"].map((name) => ({
    name,
    image: `registry.example.com/shop/${app}-${name}:v1.${i % 20}.3`,
    command: ["/bin/serve", "--port=8080", `--name=${app}`],
    env: Array.from({ length: 8 }, (_, e) => ({ name: `SETTING_${e}`, value: `value ${e} of ${app}` })),
    ports: [{ containerPort: 8080, name: "http", protocol: "TCP" }],
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    livenessProbe: {
      httpGet: { path: "/healthz", port: "http", scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 10,
    },
    volumeMounts: [{ name: "token", readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
    terminationMessagePath: "/dev/termination-log",
    imagePullPolicy: "IfNotPresent",
  }));
  return {
    metadata: {
      name: `${app}-7d9f8b6c5d-${i.toString(36).padStart(5, "0")}`,
      generateName: `${app}-7d9f8b6c5d-`,
      namespace: `team-${i % 20}`,
      uid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
      resourceVersion: String(version),
      creationTimestamp: time,
      labels: { app, "pod-template-hash": "7d9f8b6c5d", "owner-team": `team-${i % 20}`, env: "production" },
      annotations: { "prometheus.io/scrape": "true", "kubectl.kubernetes.io/restartedAt": time },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: `${app}-7d9f8b6c5d`,
          uid: `rs-${i % 200}`,
          controller: true,
        },
      ],
      managedFields: [{ manager: "kubelet", operation: "Update", time, fieldsV1: { "f:status": fields(40) } }],
    },
    spec: { nodeName: `node-${i % NODES}`, containers, volumes: [{ name: "token", projected: { sources: [] } }] },
    status: {
      phase: "Running",
      podIP: `10.1.${i % 250}.${i % 199}`,
      startTime: time,
      conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map(
        (type) => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: time }),
      ),
      containerStatuses: containers.map(({ name, image }) => ({
        name,
        image,
        imageID: `registry.example.com/shop@sha256:${"a".repeat(64)}`,
        containerID: `containerd://${"b".repeat(64)}`,
        ready: true,
        started: true,
        restartCount: i % 3,
        state: { running: { startedAt: time } },
      })),
    },
  };
}

function makeNode(i: number): object {
  const size = { cpu: "16", memory: "65536Mi", pods: "110", "ephemeral-storage": "100Gi" };
  return {
    metadata: {
      name: `node-${i}`,
      uid: `node-${i}`,
      resourceVersion: "1",
      labels: { "kubernetes.io/hostname": `node-${i}`, "node.kubernetes.io/instance-type": "m5.4xlarge" },
    },
    spec: { providerID: `aws:///eu-central-1a/i-${i}` },
    status: {
      capacity: size,
      allocatable: size,
      conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "2026-01-31T08:00:00Z" }],
      images: Array.from({ length: 50 }, (_, n) => ({ names: [`registry.example.com/image-${n}`], sizeBytes: n })),
    },
  };
}

function fields(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`f:field${n}`, { ".": {}, "f:value": {} }]));
}
