import { type ChildProcess, spawn } from "node:child_process";
import { PlimsollError } from "@plimsoll/contracts";
import type { Clock } from "../kube/clock.ts";
import { FieldReader } from "../projection/field-reader.ts";
import type { ClusterEntry, ExecEntry } from "./kubeconfig.ts";

/** What a credential plug-in answered. `expiresAt` in milliseconds since 1970; absent: good until it is refused. */
export interface ExecAnswer {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly expiresAt?: number;
}

/** What the run of a plug-in needs to know besides its entry. */
export interface ExecRun {
  readonly entry: ExecEntry;
  readonly context: string;
  readonly cluster: ClusterEntry;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person is at the terminal. */
  readonly interactive: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** A plug-in that is told to end may tidy up for so long, milliseconds. */
const END_GRACE_MS = 1_000;

/**
 * Runs a credential plug-in (client.authentication.k8s.io v1 or v1beta1) once. Throws credential_plugin_failed naming
 * the command and why; what it printed as credentials is never in an error.
 */
export async function runExecPlugin(run: ExecRun): Promise<ExecAnswer> {
  const { entry } = run;
  if (!/^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(entry.apiVersion)) {
    throw failed(run, `its apiVersion ${entry.apiVersion} is none that Plimsoll knows (v1, v1beta1)`);
  }
  if (entry.interactiveMode === "Always" && !run.interactive) throw failed(run, "it needs a terminal to ask on");
  const output = await runCommand(run);
  try {
    return parseAnswer(output, entry.apiVersion);
  } catch (error) {
    const reason = error instanceof PlimsollError ? String(error.fields.reason) : "it printed no JSON";
    throw failed(run, reason);
  }
}

function runCommand(run: ExecRun): Promise<string> {
  const { entry, signal } = run;
  const mayAsk = run.interactive && entry.interactiveMode !== "Never";
  return new Promise((resolve, reject) => {
    const child = spawn(entry.command, [...entry.args], {
      env: environment(run, mayAsk),
      stdio: [mayAsk ? "inherit" : "ignore", "pipe", "pipe"],
      signal,
    });
    killIfStubborn(child, run);
    const output = collect(child.stdout);
    const complaints = collect(child.stderr, mayAsk ? (chunk) => process.stderr.write(chunk) : undefined);
    child.once("error", (error) => reject(signal.aborted ? signal.reason : failed(run, spawnReason(error, entry))));
    child.once("close", (code, killed) => {
      if (code === 0) return resolve(output());
      reject(failed(run, lastLine(complaints()) || `it ended with ${killed ?? `exit code ${code}`}`));
    });
  });
}

/** Plug-ins that were told to end and have not yet: one listener for all, however many end at once. */
const ending = new Set<ChildProcess>();
const killEnding = () => {
  for (const child of ending) child.kill("SIGKILL");
};

/** An abort sends SIGTERM; a plug-in that ignores it is killed after a grace, or as this process ends if that is sooner. */
function killIfStubborn(child: ChildProcess, { signal, clock }: ExecRun): void {
  const onAbort = () => {
    if (ending.size === 0) process.on("exit", killEnding);
    ending.add(child);
    const cancel = clock.setTimer(END_GRACE_MS, () => child.kill("SIGKILL"));
    child.once("exit", () => {
      cancel();
      ending.delete(child);
      if (ending.size === 0) process.off("exit", killEnding);
    });
  };
  // One that could not be started has no process and will not end.
  if (child.pid === undefined) return;
  signal.addEventListener("abort", onAbort, { once: true });
  child.once("exit", () => signal.removeEventListener("abort", onAbort));
}

/** Gathers a stream's text, up to a bound; what is over is dropped. */
function collect(stream: NodeJS.ReadableStream | null, alsoTo?: (chunk: Buffer) => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    alsoTo?.(chunk);
    bytes += chunk.length;
    if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function environment({ entry, env, cluster }: ExecRun, interactive: boolean): NodeJS.ProcessEnv {
  const spec = { interactive, ...(entry.provideClusterInfo && { cluster: clusterInfo(cluster) }) };
  const info = { apiVersion: entry.apiVersion, kind: "ExecCredential", spec };
  return {
    ...env,
    ...Object.fromEntries(entry.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
}

function clusterInfo(cluster: ClusterEntry): object {
  return {
    server: cluster.server,
    "tls-server-name": cluster.tlsServerName,
    "insecure-skip-tls-verify": cluster.insecure,
    "certificate-authority-data": cluster.certificateAuthorityData,
    "proxy-url": cluster.proxyUrl,
  };
}

function parseAnswer(output: string, apiVersion: string): ExecAnswer {
  const answer = new FieldReader(JSON.parse(output), "answer");
  const given = answer.optionalText("apiVersion");
  if (given !== apiVersion)
    throw new PlimsollError("object_unusable", { reason: `it answered ${given}, not ${apiVersion}` });
  const status = answer.object("status");
  const expiresAt = parseExpiry(status.optionalText("expirationTimestamp"));
  const token = status.optionalText("token") || undefined;
  const cert = status.optionalText("clientCertificateData") || undefined;
  const key = status.optionalText("clientKeyData") || undefined;
  if (!token && !(cert && key)) {
    throw new PlimsollError("object_unusable", { reason: "it gave neither a token nor a certificate with its key" });
  }
  return { token, cert, key, expiresAt };
}

function parseExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new PlimsollError("object_unusable", { reason: `its credential ends at "${text}", which is no time` });
}

function spawnReason(error: Error, entry: ExecEntry): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return `it is not installed${entry.installHint ? ` (${lastLine(entry.installHint)})` : ""}`;
  return code === "EACCES" ? "it may not be executed" : error.message;
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function failed({ entry, context }: ExecRun, reason: string): PlimsollError {
  return new PlimsollError("credential_plugin_failed", { command: entry.command, context, reason });
}
