import type { BatchKey, BatchKind, GapRow, NodeRow, SampleColumns, UsageRow } from "@plimsoll/contracts/wire";

/** Decoded rows of one kind; samples stay columns, which is what the files are made of. */
export type FactRows =
  | { readonly kind: "usage"; readonly rows: readonly UsageRow[] }
  | { readonly kind: "node"; readonly rows: readonly NodeRow[] }
  | { readonly kind: "gap"; readonly rows: readonly GapRow[] }
  | { readonly kind: "sample"; readonly blocks: readonly SampleColumns[] };

/** A batch on its way into segments. */
export interface FactBatch {
  readonly key: BatchKey;
  readonly facts: FactRows;
}

/** Start of the UTC hour of a point of time. */
export function hourOf(ms: number): number {
  return ms - (ms % 3_600_000);
}

/** Rows of a batch. */
export function rowCount(facts: FactRows): number {
  return facts.kind === "sample" ? facts.blocks.reduce((sum, { rows }) => sum + rows, 0) : facts.rows.length;
}

/** The UTC hours that a batch's rows belong to: one file each. */
export function hoursOf(facts: FactRows): ReadonlySet<number> {
  switch (facts.kind) {
    case "usage":
    case "node":
      return new Set(facts.rows.map(({ hourStartMs }) => hourStartMs));
    case "gap":
      return new Set(facts.rows.map(({ startMs }) => hourOf(startMs)));
    case "sample": {
      const hours = new Set<number>();
      let last = -1;
      for (const { windowStartMs } of facts.blocks) {
        for (const ms of windowStartMs) {
          if (ms !== last) hours.add(hourOf(ms));
          last = ms;
        }
      }
      return hours;
    }
  }
}

/** Batches of one kind. */
export type BatchesOf<K extends BatchKind> = readonly {
  readonly key: BatchKey;
  readonly facts: Extract<FactRows, { kind: K }>;
}[];
