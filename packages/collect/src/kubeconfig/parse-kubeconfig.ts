import { dirname, isAbsolute, join, sep } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { FieldReader } from "../projection/field-reader.ts";
import type { ClusterEntry, ExecEntry, KubeContext, KubeconfigEntries, UserEntry } from "./kubeconfig.ts";

/** Parses the text of one kubeconfig file, YAML or JSON. Throws kubeconfig_invalid with what is wrong and where. */
export async function parseKubeconfig(text: string, path: string): Promise<KubeconfigEntries> {
  try {
    return parseEntries(new FieldReader(await parseYaml(text), path), dirname(path));
  } catch (error) {
    const reason =
      error instanceof PlimsollError ? String(error.fields.reason) : error instanceof Error ? error.message : "";
    throw new PlimsollError("kubeconfig_invalid", { path, reason: reason.split("\n")[0] ?? "" });
  }
}

/** The parser is loaded only here: an agent in its cluster never needs it. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  const raw: unknown = parse(text, { logLevel: "error" });
  if (raw === null || raw === undefined) throw new Error("it is empty");
  return raw;
}

function parseEntries(config: FieldReader, folder: string): KubeconfigEntries {
  const kind = config.optionalText("kind");
  if (kind !== undefined && kind !== "Config") throw new Error(`its kind is ${kind}, not Config`);
  const lists = [config.optionalList("contexts"), config.optionalList("clusters"), config.optionalList("users")];
  if (lists.every((list) => list === undefined)) throw new Error("it has no contexts, clusters or users");
  return {
    currentContext: config.optionalText("current-context") || undefined,
    contexts: byName("context", lists[0], parseContext),
    clusters: byName("cluster", lists[1], (entry) => parseCluster(entry, folder)),
    users: byName("user", lists[2], (entry) => parseUser(entry, folder)),
  };
}

function byName<T>(
  noun: string,
  list: readonly FieldReader[] | undefined,
  parseEntry: (entry: FieldReader, name: string) => T,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const item of list ?? []) {
    const name = item.text("name");
    if (entries.has(name)) throw new Error(`it has two entries for ${noun} ${name}`);
    const entry = item.optionalObject(noun);
    // `kubectl config set-credentials NAME` without more leaves an empty entry.
    entries.set(name, parseEntry(entry ?? new FieldReader({}, noun), name));
  }
  return entries;
}

function parseContext(entry: FieldReader, name: string): Omit<KubeContext, "server"> {
  return {
    name,
    cluster: entry.optionalText("cluster") ?? "",
    user: entry.optionalText("user") ?? "",
    namespace: entry.optionalText("namespace"),
  };
}

function parseCluster(entry: FieldReader, folder: string): ClusterEntry {
  const certificateAuthorityFile = absolute(entry.optionalText("certificate-authority"), folder);
  const certificateAuthorityData = entry.optionalText("certificate-authority-data") || undefined;
  const insecure = entry.optionalFlag("insecure-skip-tls-verify");
  const usesTls = certificateAuthorityFile ?? certificateAuthorityData ?? insecure;
  return {
    server: withScheme(entry.optionalText("server") ?? "", usesTls ? "https" : "http"),
    certificateAuthorityFile,
    certificateAuthorityData,
    insecure,
    tlsServerName: entry.optionalText("tls-server-name") || undefined,
    proxyUrl: entry.optionalText("proxy-url") || undefined,
  };
}

function parseUser(entry: FieldReader, folder: string): UserEntry {
  const provider = entry.optionalObject("auth-provider");
  const exec = entry.optionalObject("exec");
  return {
    token: entry.optionalText("token") || undefined,
    tokenFile: absolute(entry.optionalText("tokenFile"), folder),
    clientCertificateFile: absolute(entry.optionalText("client-certificate"), folder),
    clientCertificateData: entry.optionalText("client-certificate-data") || undefined,
    clientKeyFile: absolute(entry.optionalText("client-key"), folder),
    clientKeyData: entry.optionalText("client-key-data") || undefined,
    username: entry.optionalText("username") || undefined,
    password: entry.optionalText("password"),
    exec: exec && parseExec(exec, folder),
    authProvider: provider && {
      name: provider.text("name"),
      idToken: provider.optionalObject("config")?.optionalText("id-token") || undefined,
    },
    impersonation: parseImpersonation(entry),
  };
}

function parseExec(exec: FieldReader, folder: string): ExecEntry {
  const apiVersion = exec.text("apiVersion");
  const command = exec.text("command");
  return {
    apiVersion,
    // A bare name is looked up in PATH; anything with a separator is a path.
    command: command.includes(sep) ? (absolute(command, folder) ?? command) : command,
    args: exec.optionalTexts("args") ?? [],
    env: exec.optionalList("env")?.map((item) => ({ name: item.text("name"), value: item.text("value") })) ?? [],
    interactiveMode: parseInteractiveMode(exec.optionalText("interactiveMode")),
    provideClusterInfo: exec.optionalFlag("provideClusterInfo") ?? false,
    installHint: exec.optionalText("installHint"),
  };
}

function parseInteractiveMode(mode: string | undefined): ExecEntry["interactiveMode"] {
  if (mode === undefined) return "IfAvailable";
  if (mode === "Never" || mode === "IfAvailable" || mode === "Always") return mode;
  throw new Error(`interactiveMode is ${mode}; it takes Never, IfAvailable or Always`);
}

function parseImpersonation(entry: FieldReader): UserEntry["impersonation"] {
  const user = entry.optionalText("as");
  if (!user) return undefined;
  const headers: Record<string, string | string[]> = { "impersonate-user": user };
  const groups = entry.optionalTexts("as-groups");
  if (groups && groups.length > 0) headers["impersonate-group"] = [...groups];
  const uid = entry.optionalText("as-uid");
  if (uid) headers["impersonate-uid"] = uid;
  return headers;
}

function absolute(path: string | undefined, folder: string): string | undefined {
  if (!path) return undefined;
  return isAbsolute(path) ? path : join(folder, path);
}

function withScheme(server: string, scheme: string): string {
  return server === "" || /^[a-z]+:\/\//i.test(server) ? server : `${scheme}://${server}`;
}
