import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { apiClient, asObject, isRecord } from "./api-client.ts";
import { type Binaries, ensureBinaries } from "./binaries.ts";
import type { Cluster, ClusterInfo, ClusterOptions, ClusterProcess } from "./cluster-types.ts";
import { withVerbs } from "./cluster-verbs.ts";
import { writeTokens } from "./credentials.ts";
import { grantLimitedUser, registerMetricsApi } from "./first-objects.ts";
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

function neededBinaries({ usage, kwok }: ClusterOptions): (keyof Binaries)[] {
  const names: (keyof Binaries)[] = ["pki", "etcd", "controlPlane"];
  if (kwok !== false || usage) names.push("kwok");
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

async function startPrograms(start: Start): Promise<Cluster> {
  const { options, binaries, dir, programs } = start;
  const ports = await clusterPorts();
  await run(binaries.pki, [dir]);
  const access = writeAccess(options.name, dir, ports);
  const env = { ...process.env, TESTBED_GIT_VERSION: options.gitVersion };
  const startPart = (name: ClusterProcess["name"], flags: readonly string[]) =>
    programs.start(name, [binaries.controlPlane, name, ...flags], env);

  programs.start("etcd", [binaries.etcd, ...etcdFlags(dir, ports)]);
  startPart("kube-apiserver", [...apiServerFlags(dir, ports), ...(options.apiServerFlags ?? [])]);
  const api = apiClient({ ...access, ca: readFileSync(access.caFile, "utf8"), token: access.tokens.admin });
  await until("the API server is ready", start, async () => (await api.get("/readyz")) === "ok");
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
    await until("metrics.k8s.io answers", start, async () => isRecord(await api.get("/apis/metrics.k8s.io/v1beta1")));
  }
  if (options.controllers !== false) {
    const account = "/api/v1/namespaces/default/serviceaccounts/default";
    await until("namespaces get their service account", start, async () => isRecord(await api.get(account)));
  }
  const info: ClusterInfo = {
    name: options.name,
    gitVersion: options.gitVersion,
    ...access,
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

/** Tokens, certificates and kubeconfigs of the parts, written into `dir`. */
function writeAccess(name: string, dir: string, ports: ClusterPorts) {
  const { scheduler, ...tokens } = writeTokens(dir);
  const server = `https://127.0.0.1:${ports.apiServer}`;
  const caFile = join(dir, "ca.crt");
  const kubeconfigOf = (user: string, token: string) => {
    const context = { name, server, caFile, credentials: { kind: "token", token } } as const;
    return writeKubeconfig(join(dir, `${user}.kubeconfig`), [context]);
  };
  kubeconfigOf("scheduler", scheduler);
  return {
    server,
    caFile,
    kubeconfig: kubeconfigOf("admin", tokens.admin),
    tokens,
    clientCertificate: { certFile: join(dir, "admin.crt"), keyFile: join(dir, "admin.key") },
    expiredCertificate: { certFile: join(dir, "expired.crt"), keyFile: join(dir, "expired.key") },
  };
}

async function clusterPorts(): Promise<ClusterPorts> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0, kubelet = 0, metricsServer = 0] = await freePorts(5);
  return { etcd, etcdPeer, apiServer, kubelet, metricsServer };
}

/** Asks every 100 ms until `check` is true; errors of `check` count as "not yet" and are named when the deadline is over. */
async function until(what: string, { signal, programs }: Start, check: () => Promise<boolean>): Promise<void> {
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
