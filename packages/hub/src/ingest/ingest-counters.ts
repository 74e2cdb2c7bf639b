import type { BatchKind } from "@plimsoll/contracts/wire";
import type { IngestAnswer, IngestFigures } from "./ingest.ts";

/** Counts what ingest answers. */
export class IngestCounters {
  private readonly batches = { applied: 0, duplicate: 0, superseded: 0, rejected: 0, deregistered: 0, retried: 0 };
  private readonly rows = { sample: 0, usage: 0, node: 0, gap: 0 };
  private readonly rejectedByCode = new Map<string, number>();
  private commits = 0;
  private lastCommitAtMs: number | null = null;

  answered<A extends IngestAnswer>(answer: A): A {
    if (answer.kind === "ack") this.batches[answer.verdict] += 1;
    if (answer.kind === "deregistered") this.batches.deregistered += 1;
    if (answer.kind === "retry") this.batches.retried += 1;
    if (answer.kind === "reject") {
      this.batches.rejected += 1;
      this.rejectedByCode.set(answer.code, (this.rejectedByCode.get(answer.code) ?? 0) + 1);
    }
    return answer;
  }

  applied(kind: BatchKind, rows: number): void {
    this.rows[kind] += rows;
  }

  committed(atMs: number): void {
    this.commits += 1;
    this.lastCommitAtMs = atMs;
  }

  figures(waitingBytes: number): IngestFigures {
    return {
      batches: { ...this.batches },
      rows: { ...this.rows },
      rejectedByCode: Object.fromEntries(this.rejectedByCode),
      waitingBytes,
      commits: this.commits,
      lastCommitAtMs: this.lastCommitAtMs,
    };
  }
}
