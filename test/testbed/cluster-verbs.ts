import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ApiClient, ApiError, isRecord } from "./api-client.ts";
import type { Cluster, ClusterInfo } from "./cluster-types.ts";

const run = promisify(execFile);

/** A cluster's data with its verbs; `stop` is what ending means for this handle. */
export function withVerbs(info: ClusterInfo, api: ApiClient, stop: () => Promise<void>): Cluster {
  return {
    ...info,
    token: info.tokens.admin,
    api,
    kubectl: (args, options) => kubectl(info, args, options?.input),
    compact: () => compact(info.etcd),
    stop,
  };
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
