/** Who an item belongs to, and which of the two lanes it takes. */
export interface QueuePlace {
  /** Members share a lane evenly, by size: a cluster. */
  readonly member: string;
  /** Live facts go ahead of what is filled in later. */
  readonly lane: "live" | "backfill";
}

/** One item that waits; `size` is at least 1. */
interface Queued<Item> {
  readonly item: Item;
  readonly size: number;
}

/** Share of a group that back-fill gets while both lanes wait: live facts go first, and never alone for long. */
const BACKFILL_SHARE = 0.25;

/**
 * Items in two lanes, each shared evenly by its members: a member with a thousand items waits for its own, not in front of
 * others. Within a member and lane the order of arrival stays.
 */
export class FairQueue<Item> {
  private readonly lanes = { live: new MemberTurns<Item>(), backfill: new MemberTurns<Item>() };
  /** Back-fill got nothing of the last group, because what came first of it was too large: it begins the next. */
  private isOwed = false;

  get length(): number {
    return this.lanes.live.length + this.lanes.backfill.length;
  }

  add(item: Item, size: number, { member, lane }: QueuePlace): void {
    this.lanes[lane].add(member, { item, size });
  }

  /** The next items, of `maxSize` together; one larger item goes alone. Empty only when nothing waits. */
  take(maxSize: number): readonly Item[] {
    const { live, backfill } = this.lanes;
    const waited = backfill.length;
    const share = live.length > 0 && waited > 0 ? BACKFILL_SHARE : this.isOwed ? 1 : 0;
    const [first, second, size] = this.isOwed
      ? [backfill, live, maxSize * share]
      : [live, backfill, maxSize * (1 - share)];
    const ahead = first.take(size, true);
    const behind = second.take(maxSize - ahead.size, ahead.items.length === 0);
    const rest = first.take(maxSize - ahead.size - behind.size, false);
    this.isOwed = waited > 0 && backfill.length === waited;
    return [...ahead.items, ...behind.items, ...rest.items];
  }
}

/** One lane: its members take turns. */
class MemberTurns<Item> {
  /** In the order of their turns. */
  private readonly members = new Map<string, Queued<Item>[]>();
  length = 0;

  add(member: string, queued: Queued<Item>): void {
    const waiting = this.members.get(member);
    if (waiting) waiting.push(queued);
    else this.members.set(member, [queued]);
    this.length += 1;
  }

  /** Takes one item of each member in turn while they fit; `atLeastOne` takes the first whatever its size. */
  take(maxSize: number, atLeastOne: boolean): { readonly items: readonly Item[]; readonly size: number } {
    const items: Item[] = [];
    let size = 0;
    while (this.length > 0) {
      const [turn] = this.members;
      const next = turn?.[1][0];
      if (!turn || !next) break;
      if (size + next.size > maxSize && !(atLeastOne && items.length === 0)) break;
      items.push(next.item);
      size += next.size;
      this.endTurn(turn[0], turn[1]);
    }
    return { items, size };
  }

  /** The member goes to the end of the turns, or away when nothing of it waits. */
  private endTurn(member: string, waiting: Queued<Item>[]): void {
    waiting.shift();
    this.length -= 1;
    this.members.delete(member);
    if (waiting.length > 0) this.members.set(member, waiting);
  }
}
