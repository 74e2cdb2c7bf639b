import type { Coverage } from "@plimsoll/contracts/rest";
import type { Bed } from "./bed.ts";
import { coverageOf } from "./coverage.ts";
import { type Fact, HOUR_MS, hourOf, NAMESPACE, nameOf } from "./facts.ts";
import { type HeldFacts, type HeldGap, type HeldRow, heldFacts } from "./held-facts.ts";

/** Truth against what the hub holds. */
export interface Verdict {
  /** Sentences of what is wrong; none = all of it is right. */
  readonly faults: readonly string[];
  /** Versions of facts that are gone, with the gap that says so. */
  readonly lost: number;
  readonly held: number;
  /** Losses that were told although the hub has the batch: the agent could not know. */
  readonly overTold: number;
  /** The losses that were told: reason, kind and batches. */
  readonly losses: readonly string[];
  readonly hours: number;
}

/** Nano-dollars of a core and of a GiB for an hour, by the default price book. */
const CORE_HOUR = 31_611_000n;
const GIB_HOUR = 4_237_000n;
/** What rounding of an hour's rows may move, nano-dollars; the smallest fact is 1,000. */
const ROUNDING = 50n;
const MOST_FAULTS = 20;

/** Compares fact by fact, then sums, counts and coverage hour by hour as a person sees them over REST. */
export async function judge(bed: Bed): Promise<Verdict> {
  const held = await heldFacts(bed.hubFolder, `${bed.room}/scratch`);
  const { counted, ...facts } = judgeFacts(bed, held);
  const hours = [...Map.groupBy(counted, ({ row }) => hourOfRow(row))].filter(
    ([hourMs]) => hourMs + HOUR_MS <= bed.nowMs(),
  );
  const faults = [...facts.faults, ...(await judgeHours(bed, hours, held.gaps))];
  return { ...facts, faults: faults.slice(0, MOST_FAULTS), hours: hours.length };
}

interface FactsVerdict extends Pick<Verdict, "faults" | "lost" | "held" | "overTold" | "losses"> {
  /** What must count: of each fact the newest version that is not lost. */
  readonly counted: readonly Fact[];
}

function judgeFacts({ truth, batchesOf }: Bed, held: HeldFacts): FactsVerdict {
  const faults: string[] = [];
  if (held.quarantine.length > 0) faults.push(`${held.quarantine.length} batches in quarantine: ${held.quarantine[0]}`);
  if (held.broken > 0) faults.push(`${held.broken} segments of the ledger are missing or damaged`);
  const rows = Map.groupBy(held.rows, ({ name }) => name);
  for (const row of held.rows) faults.push(...faultsOfRow(row, truth.facts.get(row.name)));
  const losses = held.gaps.filter(({ lost }) => lost !== null);
  const newestHeld = new Map<string, number>();
  for (const fact of truth.facts.values()) {
    if (!rows.has(nameOf(fact))) continue;
    newestHeld.set(keyOf(fact), Math.max(newestHeld.get(keyOf(fact)) ?? 0, versionOf(fact)));
  }
  const counted: Fact[] = [];
  let lost = 0;
  for (const [name, fact] of truth.facts) {
    const newest = newestHeld.get(keyOf(fact)) ?? -1;
    if (versionOf(fact) === newest) counted.push(fact);
    if (versionOf(fact) <= newest) continue;
    const batches = batchesOf.get(name) ?? [];
    const told = batches.length > 0 && batches.every((batch) => losses.some((gap) => covers(gap, batch)));
    if (told) lost += 1;
    else faults.push(`lost without a gap: ${name}, spooled in ${JSON.stringify(batches.map(placeOf))}`);
  }
  const overTold = held.rows.filter((row) => losses.some((gap) => covers(gap, row))).length;
  const told = losses.map(
    ({ reason, missing, lost: at }) => `${reason} ${missing} ${at?.spoolId} ${at?.first}-${at?.last}`,
  );
  return { faults, lost, held: rows.size, overTold, losses: told, counted };
}

function faultsOfRow(row: HeldRow, fact: Fact | undefined): readonly string[] {
  const where = `${row.name} in batch ${row.sequence} of ${row.spoolId}`;
  // Gaps that the agent made of its own losses are no facts of the generator's.
  if (fact === undefined) return / (spool|disk)_/.test(row.name) ? [] : [`invented: ${where}`];
  if (row.times !== 1) return [`counted ${row.times} times: ${where}`];
  const [cpu, memory] = amountsOf(fact);
  return row.cpu === cpu && row.memory === memory
    ? []
    : [`${where} is ${row.cpu}, ${row.memory}: not ${cpu}, ${memory}`];
}

function amountsOf({ kind, row }: Fact): readonly [bigint, bigint] {
  if (kind === "sample") return [BigInt(row.requested ?? 0), 0n];
  if (kind !== "usage") return [0n, 0n];
  return [row.resources.get("cpu")?.charged ?? 0n, row.resources.get("memory")?.charged ?? 0n];
}

/** Versions of one key replace each other. */
function keyOf(fact: Fact): string {
  const name = nameOf(fact);
  return fact.kind === "usage" || fact.kind === "node" ? name.slice(0, name.lastIndexOf(" ")) : name;
}

function versionOf({ kind, row }: Fact): number {
  return kind === "usage" || kind === "node" ? row.asOfMs : 0;
}

function placeOf({ spoolId, sequence }: { readonly spoolId: string; readonly sequence: number }): string {
  return `${spoolId}/${sequence}`;
}

function covers({ lost }: HeldGap, { spoolId, sequence }: { readonly spoolId: string; readonly sequence: number }) {
  return lost !== null && lost.spoolId === spoolId && lost.first <= sequence && sequence <= lost.last;
}

function hourOfRow(row: Fact["row"]): number {
  if ("hourStartMs" in row) return row.hourStartMs;
  return hourOf("startMs" in row ? row.startMs : row.windowStartMs);
}

/** Cost and coverage of each hour over REST against what truth makes of them. */
async function judgeHours(
  bed: Bed,
  hours: readonly (readonly [number, readonly Fact[]])[],
  gaps: readonly HeldGap[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [hourMs, facts] of hours) {
    const sees = await askHour(bed, hourMs);
    const where = new Date(hourMs).toISOString();
    const coverage = coverageOf(hourMs, facts, gaps);
    if (sees.coverage !== coverage) faults.push(`coverage of ${where} is ${sees.coverage}: not ${coverage}`);
    if (sees.unexplainedMs !== 0) faults.push(`of ${where} ${sees.unexplainedMs} ms are neither covered nor lost`);
    // An hour whose node is lost has no price; its coverage has said so.
    if (!facts.some(({ kind }) => kind === "node")) continue;
    const amounts = facts.filter(({ kind }) => kind === "usage").map(amountsOf);
    const cpu = (amounts.reduce((sum, [amount]) => sum + amount, 0n) * CORE_HOUR) / 3_600_000_000_000n;
    const memory = (amounts.reduce((sum, [, amount]) => sum + amount, 0n) * GIB_HOUR) / (3_600n * 2n ** 30n);
    if (isApart(sees.cpu, cpu)) faults.push(`cpu of ${where} costs ${sees.cpu} nano-dollars: not ${cpu}`);
    if (isApart(sees.memory, memory))
      faults.push(`memory of ${where} costs ${sees.memory} nano-dollars: not ${memory}`);
  }
  return faults;
}

function isApart(a: bigint, b: bigint): boolean {
  return a - b > ROUNDING || b - a > ROUNDING;
}

async function askHour({ hub }: Bed, hourMs: number) {
  const window = [hourMs, hourMs + HOUR_MS].map((ms) => new Date(ms).toISOString()).join(",");
  const query = new URLSearchParams({ window, aggregate: "namespace", namespace: NAMESPACE });
  const headers = { authorization: `Bearer ${hub.adminToken}` };
  const answer = await fetch(`${hub.url}/api/v1/cost?${query}`, { headers });
  if (!answer.ok) throw new Error(`cost of ${window}: ${answer.status} ${await answer.text()}`);
  const body = (await answer.json()) as {
    readonly coverage: Coverage;
    readonly items: readonly { readonly cpu: string; readonly memory: string }[];
  };
  const { fraction, coveredMs, expectedMs, reasons } = body.coverage;
  const unexplainedMs = expectedMs - coveredMs - reasons.reduce((sum, { lostMs }) => sum + lostMs, 0);
  return { coverage: fraction, unexplainedMs, cpu: nanos(body.items[0]?.cpu), memory: nanos(body.items[0]?.memory) };
}

/** Money as text, to nano-units. */
function nanos(text = "0"): bigint {
  const [whole = "0", places = ""] = text.split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(places.slice(0, 9).padEnd(9, "0"));
}
