import { setTimeout as pause } from "node:timers/promises";
import { type Random, seededRandom } from "../oracle/random.ts";
import { Bed } from "./bed.ts";
import type { Break } from "./broken-parts.ts";
import { HOUR_MS } from "./facts.ts";
import { FAULT_KINDS, FAULTS, type FaultKind } from "./faults.ts";
import { heldFacts } from "./held-facts.ts";
import { judge, type Verdict } from "./verdict.ts";

/** How a run goes. */
export interface LedgerRun {
  readonly seed: number;
  readonly rounds: number;
  /** It ends earlier when it has taken this long, after at least two rounds of each kind. */
  readonly minutes: number;
  readonly broken: Break | null;
  /** Default: each of them. */
  readonly kinds?: readonly FaultKind[];
  /** Rounds between two comparisons. */
  readonly compareEvery: number;
  /** Hears of each comparison; default: nobody. */
  readonly say?: (line: string) => void;
}

/** What came of it. */
export interface LedgerResult extends Verdict {
  readonly rounds: number;
  /** Versions of facts. */
  readonly facts: number;
  /** How often each kind of fault really came about. */
  readonly fired: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** World time between two rounds: five make an hour. */
const ROUND_MS = 12 * 60_000;
const SETTLE_MS = 60_000;

/** Rounds of facts and faults, and the comparison of truth and hub after some of them and at the end. */
export async function runLedger(run: LedgerRun): Promise<LedgerResult> {
  const random = seededRandom(run.seed);
  const kinds = run.kinds ?? FAULT_KINDS;
  const fired = new Map<string, number>(kinds.map((kind) => [kind, 0]));
  const begin = Date.now();
  const bed = await Bed.open(random, run.broken, Math.ceil((run.rounds * ROUND_MS) / HOUR_MS) + 3);
  let verdict: Verdict = { faults: [], lost: 0, held: 0, overTold: 0, losses: [], hours: 0 };
  let round = 0;
  try {
    for (const kind of shuffledForEver(kinds, random)) {
      const isLate = Date.now() - begin > run.minutes * 60_000 && round >= 2 * kinds.length;
      if (round >= run.rounds || isLate || verdict.faults.length > 0) break;
      round += 1;
      bed.pass(ROUND_MS);
      fired.set(kind, (fired.get(kind) ?? 0) + Number((await play(bed, kind)) > 0));
      if (round % run.compareEvery !== 0 || round === run.rounds) continue;
      verdict = await compare(bed, false);
      run.say?.(
        `${round} rounds, ${bed.truth.count} facts, ${verdict.lost} lost and told, ${verdict.faults.length} faults`,
      );
    }
    if (verdict.faults.length === 0) verdict = await compare(bed, true);
  } finally {
    await bed.close();
  }
  const seconds = Math.round((Date.now() - begin) / 1_000);
  return { ...verdict, rounds: round, facts: bed.truth.count, fired: Object.fromEntries(fired), seconds };
}

async function play(bed: Bed, kind: FaultKind): Promise<number> {
  try {
    await revive(bed);
    // What no disk took until now is told again, as a meter does with each flush.
    bed.agent.driveAgain(bed.unspooled);
    return await FAULTS[kind](bed);
  } catch (error) {
    throw new Error(`${kind}: ${error}\nhub: ${bed.hub.lastWords()}\nagent: ${bed.agent.lastWords()}`, {
      cause: error,
    });
  }
}

/** An agent that was fenced is started again, as its Deployment does; nobody else may have ended by himself. */
async function revive(bed: Bed): Promise<void> {
  if (!bed.hub.alive) throw new Error("the hub ended by itself");
  if (bed.agent.alive) return;
  if (bed.agent.endedWith !== "agent_fenced") throw new Error("the agent ended by itself");
  await bed.startAgent();
}

/** Each kind once, in another order each time. */
function* shuffledForEver(kinds: readonly FaultKind[], random: Random): Generator<FaultKind> {
  for (;;) {
    const drawn = kinds.map((kind) => ({ kind, at: random.next() }));
    yield* drawn.toSorted((a, b) => a.at - b.at).map(({ kind }) => kind);
  }
}

/** Lets everything arrive, starts the hub anew, and compares. `final`: the last hour is over too. */
async function compare(bed: Bed, final: boolean): Promise<Verdict> {
  if (final) {
    bed.pass(HOUR_MS);
    bed.tell(bed.truth.end());
  }
  const stuck = (await settleSecond(bed)) ?? (await settle(bed, () => bed.agent));
  await bed.hub.kill();
  await bed.startHub();
  await priced(bed);
  const verdict = await judge(bed);
  return stuck === null ? verdict : { ...verdict, faults: [stuck, ...verdict.faults] };
}

/** Waits until an agent's spool is empty. Gives what kept it from that. */
async function settle(bed: Bed, agentOf: () => Bed["agent"]): Promise<string | null> {
  await bed.proxy.heal();
  bed.skewMs = 0;
  bed.setAgentClock();
  bed.hub.tell({ kind: "slow", commitMs: 0 });
  let idle = 0;
  for (const end = Date.now() + SETTLE_MS; Date.now() < end; await pause(50)) {
    if (agentOf() === bed.agent) await revive(bed);
    const agent = agentOf();
    const status = await agent.status();
    const isEmpty = status?.batches === 0 && status.waiting === 0 && status.connected;
    if (isEmpty && bed.unspooled.length === 0) return null;
    idle = status?.waiting === 0 && bed.unspooled.length > 0 ? idle + 1 : 0;
    // Samples that no disk took for so long that the agent let go of them are told again.
    if (idle % 10 === 9) agent.drive(bed.unspooled);
  }
  const agent = agentOf();
  const status = JSON.stringify(await agent.status());
  const words = `hub: ${bed.hub.lastWords()}; agent: ${agent.lastWords()}`;
  return `not delivered after ${SETTLE_MS / 1_000} s: ${status}, ${bed.unspooled.length} facts not spooled; ${words}`;
}

/** The second agent's spool is emptied too; then the first one is the cluster's agent again. */
async function settleSecond(bed: Bed): Promise<string | null> {
  if (!bed.hasSecond) return null;
  await bed.proxy.heal();
  // The first one would fence it, or be fenced, at a moment of its own choice.
  await bed.agent.kill();
  const second = await bed.startSecond(false);
  const stuck = await settle(bed, () => second);
  await second.kill();
  await bed.startAgent();
  return stuck;
}

async function priced(bed: Bed): Promise<void> {
  for (const end = Date.now() + SETTLE_MS; Date.now() < end; await pause(200)) {
    const { unpriced } = await heldFacts(bed.hubFolder, `${bed.room}/scratch`);
    if (unpriced === 0) return;
  }
}
