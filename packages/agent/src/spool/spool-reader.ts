import { FRAME_BYTES } from "./entry-frame.ts";
import type { LogEntry } from "./segment-log.ts";
import { LANES, type NextOptions, type ReadBatch, type SpoolReader } from "./spool.ts";

/** An entry with its lane. */
export interface LaneEntry {
  readonly lane: (typeof LANES)[number];
  readonly entry: LogEntry;
}

/** How a reader gets at the bytes. */
export interface ReaderNeeds {
  readonly isWaiting: (of: LaneEntry) => boolean;
  /** The payload, to be sent from now on; `later` = not now; undefined = it is gone. */
  readonly take: (of: LaneEntry) => Promise<Uint8Array | "later" | undefined>;
  readonly onClose: (reader: OrderedReader) => void;
}

/** So many live batches in a row, then one of the back-fill. */
const LIVE_IN_A_ROW = 4;

/** A reader over what waits when it begins, the back-fill, and what it is told of later, the live part. */
export class OrderedReader implements SpoolReader {
  readonly #needs: ReaderNeeds;
  /** Sorted; those before `#at` were given. */
  #backfill: LaneEntry[];
  #at = 0;
  /** The newest last: samples, and all else. */
  readonly #live: Record<"facts" | "samples", LaneEntry[]> = { facts: [], samples: [] };
  /** What may not go now. */
  #held: LaneEntry[] = [];
  #liveInARow = 0;

  constructor(needs: ReaderNeeds, waiting: readonly LaneEntry[]) {
    this.#needs = needs;
    this.#backfill = waiting.toSorted(oldestFirst);
  }

  /** Something was spooled: it is live, unless it stands for what was there before. What was held back may go again. */
  add(added: LaneEntry): void {
    const held = this.#held.splice(0);
    this.#queue([...held, ...(added.entry.replaces === null ? [] : [added])]);
    if (added.entry.replaces === null) this.#live[added.lane === "sample" ? "samples" : "facts"].push(added);
  }

  async next({
    maxBytes = Number.POSITIVE_INFINITY,
    liveOnly = false,
  }: NextOptions = {}): Promise<ReadBatch | undefined> {
    for (;;) {
      const picked = this.#pick(maxBytes, liveOnly);
      if (!picked) return undefined;
      const { of, live } = picked;
      const bytes = await this.#needs.take(of);
      if (bytes === "later") this.#held.push(of);
      if (bytes === "later" || bytes === undefined) continue;
      this.#liveInARow = live ? this.#liveInARow + 1 : 0;
      return { spoolId: of.entry.spoolId, sequence: of.entry.sequence, bytes, live };
    }
  }

  /** The one whose turn it is, which is not in the lists any more; undefined = none, or it is too large now. */
  #pick(maxBytes: number, liveOnly: boolean): { readonly of: LaneEntry; readonly live: boolean } | undefined {
    for (;;) {
      const live = this.#isLiveNext(liveOnly);
      if (liveOnly && !live) return undefined;
      const of = live ? this.#liveList().at(-1) : this.#backfill[this.#at];
      if (!of) return undefined;
      const isWaiting = this.#needs.isWaiting(of);
      if (isWaiting && of.entry.length - FRAME_BYTES > maxBytes) return undefined;
      if (live) this.#liveList().pop();
      else this.#at += 1;
      if (isWaiting) return { of, live };
    }
  }

  close(): void {
    this.#needs.onClose(this);
  }

  #isLiveNext(liveOnly: boolean): boolean {
    if (this.#liveList().length === 0) return false;
    return liveOnly || this.#liveInARow < LIVE_IN_A_ROW || this.#at >= this.#backfill.length;
  }

  #liveList(): LaneEntry[] {
    return this.#live.facts.length > 0 ? this.#live.facts : this.#live.samples;
  }

  #queue(entries: readonly LaneEntry[]): void {
    if (entries.length === 0) return;
    this.#backfill = [...this.#backfill.slice(this.#at), ...entries].sort(oldestFirst);
    this.#at = 0;
  }
}

/** Samples behind all else; by age, then as the sequence goes, a replacement before those that it stands for. */
function oldestFirst(a: LaneEntry, b: LaneEntry): number {
  return compare(placeOf(a), placeOf(b));
}

function placeOf({ lane, entry }: LaneEntry): readonly number[] {
  const first = entry.replaces?.first ?? entry.sequence;
  return [lane === "sample" ? 1 : 0, entry.sealedAtMs ?? 0, LANES.indexOf(lane), first, entry.replaces ? 0 : 1];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
