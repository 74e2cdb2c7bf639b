/**
 * The delivering half of an agent as a process that is killed: its identity, its spool, and its two streams are the
 * product's own; the facts come by messages instead of from a cluster. It says which facts are spooled, and in which batch.
 */
import { setTimeout as pause } from "node:timers/promises";
import { reportError } from "@plimsoll/contracts";
import { CommandState, openEnvelope, parseEnvelope } from "@plimsoll/contracts/wire";
import { AGENT_VERSION } from "../../packages/agent/src/agent-version.ts";
import { startControl } from "../../packages/agent/src/channel/control-client.ts";
import { createDial } from "../../packages/agent/src/channel/hub-client.ts";
import { createHubClock } from "../../packages/agent/src/channel/hub-clock.ts";
import { startIngest } from "../../packages/agent/src/channel/ingest-client.ts";
import { type AgentConfig, completeConfig } from "../../packages/agent/src/config/agent-config.ts";
import { obtainIdentity } from "../../packages/agent/src/join/identity.ts";
import { readEntryHead } from "../../packages/agent/src/rows/entry-head.ts";
import { FactSpooler } from "../../packages/agent/src/rows/fact-spooler.ts";
import { openSpool } from "../../packages/agent/src/spool/disk-spool.ts";
import { createQuarantineFolder } from "../../packages/agent/src/spool/quarantine-folder.ts";
import type { Spool } from "../../packages/agent/src/spool/spool.ts";
import { openFolder } from "../../packages/agent/src/spool/spool-files.ts";
import { openStateFolder } from "../../packages/agent/src/state/state-folder.ts";
import { seededRandom } from "../oracle/random.ts";
import { type Break, brokenFiles } from "./broken-parts.ts";
import { type Fact, factsOf, nameOf } from "./facts.ts";
import { createWorldClock, TIMER_SPEED } from "./world-clock.ts";

/** What it is told. */
export type AgentOrder =
  | {
      readonly kind: "start";
      readonly config: Pick<AgentConfig, "hubUrl" | "joinToken" | "stateDir" | "instance">;
      readonly offsetMs: number;
      readonly seed: number;
      readonly broken: Break | null;
      /** It only delivers what is in its spool; else two agents with the same spool would use the same sequence. */
      readonly deliversOnly?: boolean;
    }
  /** Its clock, the errors of it included. */
  | { readonly kind: "clock"; readonly offsetMs: number }
  /** `again`: those that it was told of and still holds in memory are left out, as a meter has each sample once. */
  | { readonly kind: "facts"; readonly facts: readonly Fact[]; readonly again: boolean }
  | { readonly kind: "ask"; readonly id: number };

/** What it says. */
export type AgentWord =
  | { readonly kind: "joined" }
  /** A batch is spooled: `append` has resolved. */
  | { readonly kind: "spooled"; readonly spoolId: string; readonly sequence: number; readonly names: readonly string[] }
  | {
      readonly kind: "status";
      readonly id: number;
      /** Batches in the spool, and facts that wait for a disk that takes them. */
      readonly batches: number;
      readonly waiting: number;
      readonly connected: boolean;
      readonly counters: Readonly<Record<string, number>>;
    }
  | { readonly kind: "log"; readonly level: string; readonly event: string; readonly fields: object }
  /** It has nothing to come back for; `code` of the error table. */
  | { readonly kind: "ended"; readonly code: string };

const SEGMENT_BYTES = 64 * 1024;
const RESERVE_BYTES = 1024 * 1024;
const RETRY_MS = 100;
const clock = createWorldClock(0, TIMER_SPEED);
const counters = new Map<string, number>();
const count = (name: string, by = 1): void => void counters.set(name, (counters.get(name) ?? 0) + by);
const log = (level: string, event: string, fields: object = {}): void => say({ kind: "log", level, event, fields });
/** Names of facts that are not spooled yet. */
const held = new Set<string>();
let spooler: FactSpooler | undefined;
let answer: (id: number) => void = () => {};
let turn: Promise<void> = Promise.resolve();

process.on("message", (order: AgentOrder) => {
  if (order.kind === "start" || order.kind === "clock") clock.offsetMs = order.offsetMs;
  if (order.kind === "start") start(order).catch((error: unknown) => end(reportError(error).code));
  if (order.kind === "facts") take(order.facts, order.again);
  if (order.kind === "ask") answer(order.id);
});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

async function start({
  config,
  seed,
  broken,
  deliversOnly = false,
}: Extract<AgentOrder, { kind: "start" }>): Promise<void> {
  const random = seededRandom(seed).next;
  const signal = new AbortController().signal;
  const folder = await openStateFolder(config.stateDir);
  const agent = { agentVersion: AGENT_VERSION, instance: config.instance, clock, random, log, signal };
  const identity = await obtainIdentity({
    ...agent,
    config: completeConfig(config),
    folder,
    readFingerprint: async () => "cluster-of-the-ledger-test",
  });
  const hubClock = createHubClock(clock);
  const quarantine = createQuarantineFolder(folder.file("quarantine"));
  const opened = await openSpool({
    files: {
      gap: brokenFiles(await openFolder(folder.file("spool/gap")), broken),
      usage: brokenFiles(await openFolder(folder.file("spool/usage")), broken),
      node: brokenFiles(await openFolder(folder.file("spool/node")), broken),
      sample: brokenFiles(await openFolder(folder.file("spool/sample")), broken),
    },
    reserve: { files: brokenFiles(await openFolder(folder.file("spool")), broken), bytes: RESERVE_BYTES },
    maxBytes: () => 512 * 1024 * 1024,
    segmentBytes: SEGMENT_BYTES,
    now: () => hubClock.now(),
    readHead: readEntryHead,
    keepDamage: ({ name }, { offset }, content) => quarantine.keep(`${name}@${offset}`, content),
  });
  const watched = telling(opened);
  const session = { epoch: 0n, fleetSize: 0 };
  const streams = { ...agent, identity, dial: createDial(identity), session };
  const control = startControl({
    ...streams,
    startedMs: Date.now(),
    hubClock,
    policyRevision: () => 1,
    spool: () => ({ ...watched.figures(), quarantined: quarantine.kept }),
    count,
    health: () => "healthy",
    applyPolicy: async () => null,
    carryOut: async () => ({ state: CommandState.DONE, errorCode: "", message: "" }),
  });
  const ingest = startIngest({
    ...streams,
    hubClock,
    address: () => identity.ingestAddress,
    spool: watched,
    quarantine: ({ spoolId, sequence, bytes }, code) => quarantine.keep(`${spoolId}-${sequence}.${code}`, bytes),
    count,
  });
  const needs = { ...agent, identity, spool: watched, hubClock, policyRevision: () => 1, count };
  spooler = new FactSpooler(needs);
  answer = (id) =>
    say({
      kind: "status",
      id,
      batches: watched.figures().batches,
      waiting: spooler?.waiting ?? 0,
      connected: ingest.status().state === "connected",
      counters: Object.fromEntries(counters),
    });
  for (const stream of [control, ingest]) void stream.ended.then((over) => over && end(over.code ?? over.reason));
  if (!deliversOnly) turn = turn.then(() => spool([]));
  void retry();
  say({ kind: "joined" });
}

/** The spool, which says what went into each batch. */
function telling(spool: Spool): Spool {
  const append: Spool["append"] = async (kind, seal) => {
    let told: Extract<AgentWord, { kind: "spooled" }> | undefined;
    await spool.append(kind, (spoolId, sequence) => {
      const sealed = seal(spoolId, sequence);
      const facts = factsOf(openEnvelope(parseEnvelope(sealed.bytes)));
      told = { kind: "spooled", spoolId, sequence, names: facts.map(nameOf) };
      return sealed;
    });
    if (!told) return;
    for (const name of told.names) held.delete(name);
    say(told);
  };
  return new Proxy(spool, {
    get(real, name) {
      if (name === "append") return append;
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === "function" ? value.bind(real) : value;
    },
  });
}

function take(facts: readonly Fact[], again: boolean): void {
  const news = again ? facts.filter((fact) => !held.has(nameOf(fact))) : facts;
  for (const fact of news) held.add(nameOf(fact));
  turn = turn.then(() => spool(news));
}

async function spool(facts: readonly Fact[]): Promise<void> {
  const rows = <K extends Fact["kind"]>(kind: K) =>
    facts.flatMap((fact) => (fact.kind === kind ? [fact.row as Extract<Fact, { kind: K }>["row"]] : []));
  await spooler?.spool({ usage: rows("usage"), nodes: rows("node"), samples: rows("sample"), gaps: rows("gap") });
}

/** What a disk did not take is tried again, as an agent does with each flush. */
async function retry(): Promise<void> {
  for (;;) {
    await pause(RETRY_MS);
    if ((spooler?.waiting ?? 0) > 0) turn = turn.then(() => spool([]));
    await turn;
  }
}

function end(code: string): void {
  say({ kind: "ended", code });
  // The word must be out before the process is.
  setTimeout(() => process.exit(0), 20);
}

function say(word: AgentWord): void {
  if (process.connected) process.send?.(word);
}
