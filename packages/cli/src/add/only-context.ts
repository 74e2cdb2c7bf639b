import { readFile } from "node:fs/promises";
import type { Kubeconfig } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";

type ClusterEntry = NonNullable<ReturnType<Kubeconfig["clusterEntry"]>>;
type UserEntry = NonNullable<ReturnType<Kubeconfig["userEntry"]>>;

/**
 * The text of a kubeconfig with this one context and nothing of the others: no credential of another cluster leaves the
 * machine. Files that it names are written into it. What a hub refuses (plug-ins) is named without its details, so that
 * the hub can say so. Throws context_unknown, kubeconfig_invalid, file_unreadable.
 */
export async function onlyContext(kubeconfig: Kubeconfig, name: string): Promise<string> {
  const context = kubeconfig.contexts.find((candidate) => candidate.name === name);
  if (context === undefined) {
    const known = kubeconfig.contexts.map((candidate) => candidate.name).join(", ");
    throw new PlimsollError("context_unknown", { context: name, known });
  }
  const path = kubeconfig.paths.join(", ") || "the service account";
  const cluster = kubeconfig.clusterEntry(context.cluster);
  const user = context.user === "" ? {} : kubeconfig.userEntry(context.user);
  if (cluster === undefined || user === undefined) {
    const missing = cluster === undefined ? `cluster "${context.cluster}"` : `user "${context.user}"`;
    throw new PlimsollError("kubeconfig_invalid", {
      path,
      reason: `context ${name} names ${missing}, which is not in it`,
    });
  }
  // JSON is YAML, and quotes every name.
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: await clusterOf(cluster) }],
    users: [{ name, user: await userOf(user) }],
  });
}

async function clusterOf(entry: ClusterEntry): Promise<object> {
  return {
    server: entry.server,
    "certificate-authority-data": entry.certificateAuthorityData ?? (await base64Of(entry.certificateAuthorityFile)),
    "insecure-skip-tls-verify": entry.insecure,
    "tls-server-name": entry.tlsServerName,
    "proxy-url": entry.proxyUrl,
  };
}

async function userOf(entry: UserEntry): Promise<object> {
  const { exec, authProvider } = entry;
  return {
    token: entry.tokenFile === undefined ? entry.token : (await contentOf(entry.tokenFile)).toString("utf8").trim(),
    "client-certificate-data": entry.clientCertificateData ?? (await base64Of(entry.clientCertificateFile)),
    "client-key-data": entry.clientKeyData ?? (await base64Of(entry.clientKeyFile)),
    username: entry.username,
    password: entry.password,
    exec: exec && { apiVersion: exec.apiVersion, command: exec.command },
    "auth-provider": authProvider && { name: authProvider.name },
    ...impersonationOf(entry),
  };
}

function impersonationOf({ impersonation = {} }: UserEntry): object {
  return {
    as: impersonation["impersonate-user"],
    "as-groups": impersonation["impersonate-group"],
    "as-uid": impersonation["impersonate-uid"],
  };
}

async function base64Of(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : (await contentOf(path)).toString("base64");
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new PlimsollError("file_unreadable", { path, reason }, { cause });
  }
}
