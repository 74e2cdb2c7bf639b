import type { Row } from "../store/tables.ts";
import { GENESIS, rowHash } from "./chain.ts";
import { type AuditCheckpoint, isSigned } from "./checkpoint-key.ts";

/**
 * changed: a row is not what was written. missing: rows are gone, from `id` on. unchained: a row does not stand on the one
 * before it. truncated: a checkpoint covers rows that the log no longer has. differs: a checkpoint has another hash for a row.
 * forged: a checkpoint is not signed by the hub's key.
 */
interface AuditFault {
  readonly kind: "changed" | "missing" | "unchained" | "truncated" | "differs" | "forged";
  readonly id: number;
  readonly detail: string;
}

/** What a check of the audit log found. */
export interface AuditVerdict {
  readonly rows: number;
  /** Hash of the last row; null = the log is empty. */
  readonly lastHash: string | null;
  readonly checkpoints: number;
  /** The first of them, at most `MOST_FAULTS`. */
  readonly faults: readonly AuditFault[];
}

/** More of them say nothing more. */
const MOST_FAULTS = 100;

/**
 * Checks rows in the order of their ids, and checkpoints against them. Checkpoints that were kept outside of the hub find
 * even a log that was written anew as a whole.
 */
export async function verifyAudit(
  rows: AsyncIterable<Row<"audit">> | Iterable<Row<"audit">>,
  checkpoints: readonly AuditCheckpoint[],
  publicKey: string,
): Promise<AuditVerdict> {
  const check = new ChainCheck(checkpoints, publicKey);
  for await (const row of rows) check.row(row);
  return check.end();
}

class ChainCheck {
  readonly #checkpoints: readonly AuditCheckpoint[];
  readonly #covered: ReadonlyMap<number, readonly AuditCheckpoint[]>;
  readonly #faults: AuditFault[] = [];
  #rows = 0;
  #lastId = 0;
  #lastHash = GENESIS;

  constructor(checkpoints: readonly AuditCheckpoint[], publicKey: string) {
    const [signed, forged] = [[] as AuditCheckpoint[], [] as AuditCheckpoint[]];
    for (const each of checkpoints) (isSigned(each, publicKey) ? signed : forged).push(each);
    for (const { auditId } of forged) this.#found("forged", auditId, "the checkpoint is not signed by the hub's key");
    this.#checkpoints = signed;
    this.#covered = Map.groupBy(signed, ({ auditId }) => auditId);
  }

  row(row: Row<"audit">): void {
    this.#rows += 1;
    const expected = this.#lastId + 1;
    if (row.id > expected) this.#found("missing", expected, `rows ${expected} to ${row.id - 1} are gone`);
    else if (row.previous_hash !== this.#lastHash) {
      this.#found("unchained", row.id, `row ${row.id} does not stand on row ${this.#lastId}`);
    }
    if (rowHash(row.previous_hash, row) !== row.hash) this.#found("changed", row.id, `row ${row.id} was changed`);
    for (const { hash } of this.#covered.get(row.id) ?? []) {
      if (hash !== row.hash) this.#found("differs", row.id, `row ${row.id} is not the one that was signed`);
    }
    this.#lastId = row.id;
    this.#lastHash = row.hash;
  }

  end(): AuditVerdict {
    const furthest = this.#checkpoints.reduce((most, { auditId }) => Math.max(most, auditId), 0);
    if (furthest > this.#lastId) {
      const from = this.#lastId + 1;
      this.#found("truncated", from, `rows ${from} to ${furthest} were signed and are gone`);
    }
    const lastHash = this.#rows === 0 ? null : this.#lastHash;
    return { rows: this.#rows, lastHash, checkpoints: this.#checkpoints.length, faults: this.#faults };
  }

  #found(kind: AuditFault["kind"], id: number, detail: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push({ kind, id, detail });
  }
}
