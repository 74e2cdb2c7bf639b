import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { type Clock, type Random, systemClock } from "../kube/clock.ts";
import type { KubeConnection } from "../kube/connection.ts";
import { createHttpConnection } from "../kube/http-connection.ts";
import { createCredentialSource } from "./credentials.ts";
import { environmentProxy, isLoopback } from "./environment-proxy.ts";
import { type ClusterEntry, IN_CLUSTER, type Kubeconfig, type UserEntry } from "./kubeconfig.ts";

/** How a connection behaves; every member has a default. */
export interface OpenOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Deadline of one request, milliseconds (default 30,000). */
  readonly requestDeadlineMs?: number;
  /** A new TCP and TLS connection must stand within this, milliseconds (default 10,000). */
  readonly connectMs?: number;
  /** Requests at once (default 4). */
  readonly concurrency?: number;
  /** Packed answers (default: yes, but not from loopback and not inside the cluster). */
  readonly gzip?: boolean;
  /** Environment of credential plug-ins and proxy settings (default: this process's). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A person is at the terminal: credential plug-ins may ask (default false). */
  readonly interactive?: boolean;
}

/**
 * A connection with the credentials of `context`. Sends nothing yet: a dead address shows at the first request. Throws
 * context_unknown, and kubeconfig_invalid when the context's cluster, user, certificate or key is missing or unreadable.
 */
export async function openContext(
  kubeconfig: Kubeconfig,
  context: string,
  options: OpenOptions = {},
): Promise<KubeConnection> {
  const path = kubeconfig.paths.join(", ") || "the service account";
  const invalid = (reason: string) => new PlimsollError("kubeconfig_invalid", { path, reason });
  const { cluster, user, userName } = entriesOf(kubeconfig, context, invalid);
  const server = checkServer(cluster, context, invalid);
  const ca = await readAuthority(cluster, context, invalid);
  const { clock = systemClock, random = Math.random, env = process.env, interactive = false } = options;
  const withAuthority = ca === undefined ? cluster : { ...cluster, certificateAuthorityData: toBase64(ca) };
  const credentials = createCredentialSource({
    user,
    userName,
    context,
    cluster: withAuthority,
    path,
    env,
    interactive,
    clock,
  });
  return createHttpConnection({
    server,
    context,
    credentials,
    certificateAuthority: ca,
    tlsServerName: cluster.tlsServerName,
    insecure: cluster.insecure,
    proxyUrl: checkProxy(cluster.proxyUrl ?? environmentProxy(server, env), context, invalid),
    clock,
    random,
    requestDeadlineMs: options.requestDeadlineMs,
    connectMs: options.connectMs,
    concurrency: options.concurrency,
    gzip: options.gzip ?? !(isLoopback(new URL(server).hostname) || context === IN_CLUSTER),
  });
}

type Invalid = (reason: string) => PlimsollError;

function entriesOf(kubeconfig: Kubeconfig, name: string, invalid: Invalid) {
  const context = kubeconfig.contexts.find((item) => item.name === name);
  if (!context) {
    const known = kubeconfig.contexts.map((item) => item.name).join(", ");
    throw new PlimsollError("context_unknown", { context: name, known });
  }
  const cluster = kubeconfig.clusterEntry(context.cluster);
  if (!cluster) throw invalid(`context ${name} names cluster "${context.cluster}", which is not in it`);
  // A context without a user is an anonymous one, as with kubectl.
  const user: UserEntry | undefined = context.user === "" ? {} : kubeconfig.userEntry(context.user);
  if (!user) throw invalid(`context ${name} names user "${context.user}", which is not in it`);
  return { cluster, user, userName: context.user };
}

/** The server's address without user, password, query and fragment. */
function checkServer(cluster: ClusterEntry, context: string, invalid: Invalid): string {
  const url = URL.parse(cluster.server);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalid(`the server of context ${context} is "${cluster.server}", which is no http or https address`);
  }
  return url.origin + url.pathname.replace(/\/$/, "");
}

/** The proxy itself is not named: its address may hold a password. */
function checkProxy(proxy: string | undefined, context: string, invalid: Invalid): string | undefined {
  const protocol = proxy === undefined ? "http:" : URL.parse(proxy)?.protocol;
  if (protocol === "http:" || protocol === "https:") return proxy;
  throw invalid(`the proxy of context ${context} (proxy-url or HTTPS_PROXY) is no http or https address`);
}

async function readAuthority(cluster: ClusterEntry, context: string, invalid: Invalid): Promise<string | undefined> {
  const { certificateAuthorityData: data, certificateAuthorityFile: file } = cluster;
  const pem = data !== undefined ? Buffer.from(data, "base64").toString("utf8") : await readPem(file, context, invalid);
  if (pem !== undefined && !isCertificate(pem)) {
    throw invalid(`the certificate authority of context ${context} is no PEM certificate`);
  }
  return pem;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

async function readPem(file: string | undefined, context: string, invalid: Invalid): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw invalid(`the certificate authority ${file} of context ${context} cannot be read (${reason})`);
  }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
