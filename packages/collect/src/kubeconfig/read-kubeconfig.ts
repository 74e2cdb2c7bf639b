import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { type ClusterEntry, IN_CLUSTER, Kubeconfig, type KubeconfigEntries, type UserEntry } from "./kubeconfig.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";

/** Where to look for a kubeconfig. */
export interface KubeconfigOptions {
  /** The file of `--kubeconfig`; when given, nothing else is looked at. */
  readonly path?: string;
  /** Environment: KUBECONFIG, HOME, KUBERNETES_SERVICE_HOST and _PORT are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of a pod's service account; for tests. */
  readonly serviceAccountFolder?: string;
}

const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
/** Shown with kubeconfig_missing: what can be scanned without any cluster. */
const EXAMPLE_DUMP = "examples/dump/*";

/**
 * The contexts that `kubectl` would see: `path`, else the files of KUBECONFIG merged (the first to name something wins,
 * missing files are skipped), else `~/.kube/config`, else the service account of the pod this runs in. Throws
 * kubeconfig_missing when there is none of them, kubeconfig_invalid naming file and reason.
 */
export async function readKubeconfig(options: KubeconfigOptions): Promise<Kubeconfig> {
  const paths = candidates(options);
  const files: { path: string; entries: KubeconfigEntries }[] = [];
  for (const path of paths) {
    const text = await readIfThere(path);
    if (text !== undefined) files.push({ path, entries: await parseKubeconfig(text, path) });
  }
  const first = files[0];
  if (!first) return (await inCluster(options)) ?? missing(paths);
  const found = files.map((file) => file.path);
  const merged = merge(files.map((file) => file.entries));
  if (merged.contexts.size === 0) {
    throw new PlimsollError("kubeconfig_invalid", { path: first.path, reason: "it has no contexts" });
  }
  return new Kubeconfig(found, merged);
}

function candidates({ path, env }: KubeconfigOptions): readonly string[] {
  if (path !== undefined) return [resolve(path)];
  const listed = (env.KUBECONFIG ?? "").split(delimiter).filter((item) => item !== "");
  if (listed.length > 0) return [...new Set(listed.map((item) => resolve(item)))];
  return [join(env.HOME || homedir(), ".kube", "config")];
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const reason = { EISDIR: "it is a folder", EACCES: "no right to read it" }[code] ?? `it cannot be read (${code})`;
    throw new PlimsollError("kubeconfig_invalid", { path, reason }, { cause: error });
  }
}

function missing(paths: readonly string[]): never {
  throw new PlimsollError("kubeconfig_missing", { paths: paths.join(", "), example: EXAMPLE_DUMP });
}

/** The first file to name something wins, as with kubectl. */
function merge(files: readonly KubeconfigEntries[]): KubeconfigEntries {
  return {
    currentContext: files.find((file) => file.currentContext !== undefined)?.currentContext,
    contexts: firstWins(files.map((file) => file.contexts)),
    clusters: firstWins(files.map((file) => file.clusters)),
    users: firstWins(files.map((file) => file.users)),
  };
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>();
  for (const [name, entry] of maps.flatMap((map) => [...map])) {
    if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}

async function inCluster(options: KubeconfigOptions): Promise<Kubeconfig | undefined> {
  const { env, path, serviceAccountFolder: folder = SERVICE_ACCOUNT_FOLDER } = options;
  const host = env.KUBERNETES_SERVICE_HOST;
  const tokenFile = join(folder, "token");
  if (path !== undefined || !host || (await readIfThere(tokenFile)) === undefined) return undefined;
  const address = host.includes(":") ? `[${host}]` : host;
  const cluster: ClusterEntry = {
    server: `https://${address}:${env.KUBERNETES_SERVICE_PORT || 443}`,
    certificateAuthorityFile: join(folder, "ca.crt"),
  };
  const user: UserEntry = { tokenFile };
  return new Kubeconfig([], {
    currentContext: IN_CLUSTER,
    contexts: new Map([[IN_CLUSTER, { name: IN_CLUSTER, cluster: IN_CLUSTER, user: IN_CLUSTER }]]),
    clusters: new Map([[IN_CLUSTER, cluster]]),
    users: new Map([[IN_CLUSTER, user]]),
  });
}
