import type { ReasonedSpan } from "@plimsoll/core";
import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import type { CoveredFacts } from "./gap-spans.ts";

/** A span of a cluster. */
export interface ClusterSpan {
  readonly clusterId: string;
  readonly span: ReasonedSpan;
}

/**
 * What is new in a batch is of one flush, and running intervals are told again within this: the time before the sealing of a
 * batch that does not count of which something may be missing.
 */
const TOLD_ANEW_MS = 5 * 60_000;
const KINDS: Readonly<Record<CoveredFacts, readonly string[]>> = { usage: ["usage", "node"], samples: ["sample"] };

/** Times of a window whose batches are in the quarantine, as long as they are. Batches of which nothing could be read count by their arrival. */
export async function quarantinedSpans(
  store: Store,
  window: { readonly startMs: number; readonly endMs: number },
  facts: CoveredFacts,
): Promise<readonly ClusterSpan[]> {
  const [fromMs, toMs] = [window.startMs, window.endMs + TOLD_ANEW_MS];
  const known = await store.db
    .selectFrom("ledger_batches")
    .select(["cluster_id", "sealed_at_ms as at_ms", "kind"])
    .where("state", "=", sql.lit("quarantined" as const))
    .where("sealed_at_ms", ">", fromMs)
    .where("sealed_at_ms", "<", toMs)
    .execute();
  const unread = await store.db
    .selectFrom("quarantine")
    .select(["cluster_id", "first_at_ms as at_ms"])
    .where("spool_id", "is", null)
    .where("replayed_at_ms", "is", null)
    .where("first_at_ms", ">", fromMs)
    .where("first_at_ms", "<", toMs)
    .execute();
  const counted = known.filter(({ kind }) => kind === null || KINDS[facts].includes(kind));
  return [...counted, ...unread].flatMap(({ cluster_id, at_ms }) =>
    cluster_id === null
      ? []
      : [{ clusterId: cluster_id, span: { fromMs: at_ms - TOLD_ANEW_MS, toMs: at_ms, reason: "quarantined" } }],
  );
}
