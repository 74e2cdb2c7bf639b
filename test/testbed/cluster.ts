import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type ApiClient, ApiError, apiClient, asObject, isRecord } from "./api-client.ts";
import { type Binaries, ensureBinaries } from "./binaries.ts";
import type { Cluster, ClusterInfo, ClusterOptions, ClusterProcess } from "./cluster-types.ts";
import { LIMITED_USER, writeTokens } from "./credentials.ts";
import { freePorts } from "./free-ports.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { logTail, ProcessGroup } from "./process-group.ts";
import {
  apiServerFlags,
  type ClusterPorts,
  controllerManagerFlags,
  etcdFlags,
  kwokFlags,
  metricsServerFlags,
  schedulerFlags,
} from "./program-flags.ts";

const run = promisify(execFile);
const READY_DEADLINE_MS = 120_000;

type Programs = ProcessGroup<ClusterProcess["name"]>;

/**
 * Starts a cluster and waits until its API is ready and, with `usage`, metrics.k8s.io answers (figures of a node follow
 * some 25 s after the node). Builds missing programs first. Everything listens on 127.0.0.1 only.
 * @throws Error with the end of the log of the program that failed; nothing is left running then.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const binaries = await ensureBinaries(neededBinaries(options));
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options, binaries);
    } catch (error) {
      const portTaken = error instanceof Error && error.message.includes("address already in use");
      if (!portTaken || attempt === 3) throw error;
    }
  }
}

/** A handle on a cluster that another process runs; its `stop` only closes this process's connections. */
export function attachCluster(info: ClusterInfo): Cluster {
  const api = apiClient({ server: info.server, ca: readFileSync(info.caFile, "utf8"), token: info.tokens.admin });
  return withVerbs(info, api, async () => api.close());
}

function neededBinaries({ usage, kwok, controllers }: ClusterOptions): (keyof Binaries)[] {
  const names: (keyof Binaries)[] = ["pki", "etcd", "controlPlane"];
  if (kwok !== false || usage || controllers) names.push("kwok");
  if (usage) names.push("metricsServer");
  return names;
}

async function startOnce(options: ClusterOptions, binaries: Binaries): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), `testbed-${options.name}-`));
  const failed = new AbortController();
  const programs: Programs = new ProcessGroup(dir, (error) => failed.abort(error));
  const signal = options.signal ? AbortSignal.any([failed.signal, options.signal]) : failed.signal;
  try {
    return await startPrograms({ options, binaries, dir, programs, signal });
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    await programs.stop();
    throw reason instanceof Error ? reason : new Error(`cluster ${options.name} did not start: ${String(reason)}`);
  }
}

interface Start {
  readonly options: ClusterOptions;
  readonly binaries: Binaries;
  readonly dir: string;
  readonly programs: Programs;
  readonly signal: AbortSignal;
}

async function startPrograms({ options, binaries, dir, programs, signal }: Start): Promise<Cluster> {
  const ports = await clusterPorts();
  await run(binaries.pki, [dir]);
  const tokens = writeTokens(dir);
  const server = `https://127.0.0.1:${ports.apiServer}`;
  const caFile = join(dir, "ca.crt");
  const kubeconfigFor = (file: string, token: string) =>
    writeKubeconfig(join(dir, `${file}.kubeconfig`), [
      { name: options.name, server, caFile, credentials: { kind: "token", token } },
    ]);
  const kubeconfig = kubeconfigFor("admin", tokens.admin);
  kubeconfigFor("scheduler", tokens.scheduler);
  const env = { ...process.env, TESTBED_GIT_VERSION: options.gitVersion };
  const startPart = (name: ClusterProcess["name"], flags: readonly string[]) =>
    programs.start(name, [binaries.controlPlane, name, ...flags], env);

  programs.start("etcd", [binaries.etcd, ...etcdFlags(dir, ports)]);
  startPart("kube-apiserver", [...apiServerFlags(dir, ports), ...(options.apiServerFlags ?? [])]);
  const api = apiClient({ server, ca: readFileSync(caFile, "utf8"), token: tokens.admin });
  await until("the API server is ready", signal, programs, async () => (await api.get("/readyz")) === "ok");
  if (options.controllers !== false) {
    startPart("kube-controller-manager", controllerManagerFlags(dir));
    startPart("kube-scheduler", schedulerFlags(dir));
  }
  if (options.kwok !== false || options.usage) {
    programs.start("kwok", [binaries.kwok, ...kwokFlags(dir, ports, join(import.meta.dirname, "kwok.yaml"))]);
  }
  if (options.usage) programs.start("metrics-server", [binaries.metricsServer, ...metricsServerFlags(dir, ports)]);
  await grantLimitedUser(api);
  if (options.usage) {
    await registerMetricsApi(api, ports.metricsServer);
    const served = async () => isRecord(await api.get("/apis/metrics.k8s.io/v1beta1"));
    await until("metrics.k8s.io answers", signal, programs, served);
  }
  if (options.controllers !== false) {
    const account = "/api/v1/namespaces/default/serviceaccounts/default";
    await until("namespaces get their service account", signal, programs, async () => isRecord(await api.get(account)));
  }
  const info: ClusterInfo = {
    name: options.name,
    gitVersion: options.gitVersion,
    server,
    caFile,
    kubeconfig,
    tokens,
    clientCertificate: { certFile: join(dir, "admin.crt"), keyFile: join(dir, "admin.key") },
    expiredCertificate: { certFile: join(dir, "expired.crt"), keyFile: join(dir, "expired.key") },
    kubeSystemUid: asObject(await api.get("/api/v1/namespaces/kube-system")).metadata.uid ?? "",
    etcd: `http://127.0.0.1:${ports.etcd}`,
    dir,
    kubectlCommand: [binaries.controlPlane, "kubectl"],
    processes: programs.started,
  };
  return withVerbs(info, api, async () => {
    api.close();
    await programs.stop();
  });
}

async function clusterPorts(): Promise<ClusterPorts> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0, kubelet = 0, metricsServer = 0] = await freePorts(5);
  return { etcd, etcdPeer, apiServer, kubelet, metricsServer };
}

function withVerbs(info: ClusterInfo, api: ApiClient, stop: () => Promise<void>): Cluster {
  return {
    ...info,
    token: info.tokens.admin,
    api,
    kubectl: (args, options) => kubectl(info, args, options?.input),
    compact: () => compact(info.etcd),
    stop,
  };
}

/** Asks every 100 ms until `check` is true; errors of `check` count as "not yet" and are named when the deadline is over. */
async function until(
  what: string,
  signal: AbortSignal,
  programs: Programs,
  check: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + READY_DEADLINE_MS;
  let last = "no answer";
  while (performance.now() < end) {
    signal.throwIfAborted();
    try {
      if (await check()) return;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(100, undefined, { signal });
  }
  const logs = programs.started.map(({ name, logFile }) => `--- ${name}\n${logTail(logFile, 5)}`);
  throw new Error(`${READY_DEADLINE_MS / 1000} s and not yet: ${what} (${last})\n${logs.join("\n")}`);
}

async function kubectl(info: ClusterInfo, args: readonly string[], input?: string): Promise<string> {
  const [program, first] = info.kubectlCommand;
  const child = run(program, [first, `--kubeconfig=${info.kubeconfig}`, ...args], { maxBuffer: 2 ** 30 });
  child.child.stdin?.on("error", () => {}); // kubectl may end before it has read everything
  child.child.stdin?.end(input);
  try {
    return (await child).stdout;
  } catch (error) {
    const reason = isRecord(error) ? error.stderr : error;
    throw new Error(`kubectl ${args.join(" ")}: ${String(reason).trim()}`);
  }
}

/** Rights for everything that a scan reads, except nodes, persistent volumes and nodes' usage. */
async function grantLimitedUser(api: ApiClient): Promise<void> {
  const name = "testbed-without-nodes";
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const verbs = ["get", "list", "watch"];
  const core = ["namespaces", "pods", "persistentvolumeclaims", "services", "resourcequotas"];
  await api.post(`${rbac}/clusterroles`, {
    metadata: { name },
    rules: [
      { apiGroups: [""], resources: core, verbs },
      { apiGroups: ["apps"], resources: ["deployments", "replicasets", "statefulsets", "daemonsets"], verbs },
      { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs },
      { apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs },
    ],
  });
  await api.post(`${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: LIMITED_USER }],
  });
}

/** Sends metrics.k8s.io to metrics-server on this machine: the service is only another name for localhost. */
async function registerMetricsApi(api: ApiClient, port: number): Promise<void> {
  const service = { name: "metrics-server", namespace: "kube-system" };
  await api.post("/api/v1/namespaces/kube-system/services", {
    metadata: service,
    spec: { type: "ExternalName", externalName: "localhost", ports: [{ port, protocol: "TCP" }] },
  });
  await api.post("/apis/apiregistration.k8s.io/v1/apiservices", {
    metadata: { name: "v1beta1.metrics.k8s.io" },
    spec: {
      group: "metrics.k8s.io",
      version: "v1beta1",
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { ...service, port },
    },
  });
}

/** Compacts the whole history through etcd's JSON gateway. */
async function compact(etcd: string): Promise<number> {
  const call = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${etcd}${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new ApiError(`POST ${path}`, response.status, await response.text());
    return response.json();
  };
  const answer = await call("/v3/kv/range", { key: Buffer.from("/").toString("base64"), limit: "1" });
  const header = isRecord(answer) ? answer.header : undefined;
  const revision = Number(isRecord(header) ? header.revision : Number.NaN);
  await call("/v3/kv/compaction", { revision: String(revision), physical: true });
  return revision;
}
