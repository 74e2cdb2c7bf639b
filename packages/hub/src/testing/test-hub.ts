import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JoinAnswer, JoinTokenAnswer } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import type { HubDeps, HubSettings } from "../config/hub-config.ts";
import { silentLog } from "../log/hub-log.ts";
import { type RunningHub, startHub } from "../main.ts";
import { type AgentKey, makeAgentKey } from "../registration/testing/agent-key.ts";

/** An answer of a hub: its body parsed as JSON where it is JSON. */
interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A cluster that has joined a hub, with what its agent holds. */
export type JoinedCluster = JoinAnswer & AgentKey & { readonly fingerprint: string };

/** A hub for a test, on free ports and a folder of its own. */
export interface TestHub extends RunningHub {
  readonly dataDir: string;
  /** A request as the admin; `token: null` = as nobody. A body is sent as JSON. */
  ask(path: string, options?: AskOptions): Promise<TestAnswer>;
  /** The body of a good answer, parsed by its schema. */
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  /** Registers a cluster as an agent does. */
  join(name: string, options?: { fingerprint?: string; labels?: Record<string, string> }): Promise<JoinedCluster>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** How a request is sent. */
export interface AskOptions {
  readonly method?: string;
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a hub on SQLite; `dataDir` = the folder of an earlier one. */
export async function startTestHub(settings: Partial<HubSettings> = {}, deps: Partial<HubDeps> = {}): Promise<TestHub> {
  const dataDir = settings.dataDir ?? mkdtempSync(join(tmpdir(), "plimsoll-hub-"));
  const hub = await startHub({ port: 0, controlPort: 0, ...settings, dataDir }, { log: silentLog, ...deps });
  const ask = (path: string, options: AskOptions = {}) => send(hub, path, options);
  return {
    ...hub,
    dataDir,
    ask,
    async get(path, schema) {
      const { status, body, text } = await ask(path);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      return schema.parse(body);
    },
    async join(name, { fingerprint = `fingerprint-of-${name}`, labels = {} } = {}) {
      const order = { method: "POST", body: { clusterName: name, labels } };
      const { token } = JoinTokenAnswer.parse((await ask("/api/v1/join-tokens", order)).body);
      const key = await makeAgentKey();
      const request = { token, csr: key.csr, fingerprint, agentVersion: "0.1.0" };
      const { status, body, text } = await ask("/api/v1/join", { method: "POST", token: null, body: request });
      if (status !== 200) throw new Error(`joining answered ${status}: ${text}`);
      return { ...JoinAnswer.parse(body), ...key, fingerprint };
    },
    async remove() {
      await hub.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function send(hub: RunningHub, path: string, options: AskOptions): Promise<TestAnswer> {
  const { method = "GET", token = hub.adminToken, body, raw, headers = {} } = options;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${hub.url}${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(content !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
