import { ERROR_TABLE, type ErrorCode } from "@plimsoll/contracts";
import type { Store } from "../store/store.ts";
import type { PullFault } from "./pull-loop.ts";

const TYPE = "Read";
const isErrorCode = (text: string): text is ErrorCode => text in ERROR_TABLE;

/** Keeps why a pulled cluster cannot be read, or that it can, for another process to show. */
export async function storePullFault(store: Store, clusterId: string, fault: PullFault | null, nowMs: number) {
  const state = {
    status: fault === null ? "true" : "false",
    reason: fault?.code ?? "read",
    message: fault === null ? "" : `${fault.message}\n${fault.remedy}`,
    since_ms: fault?.sinceMs ?? nowMs,
    observed_at_ms: nowMs,
  } as const;
  await store.db
    .insertInto("conditions")
    .values({ cluster_id: clusterId, type: TYPE, ...state })
    .onConflict((conflict) => conflict.columns(["cluster_id", "type"]).doUpdateSet(state))
    .execute();
}

/** Why clusters cannot be read, by id, as the process that reads them has kept it. */
export async function readPullFaults(store: Store): Promise<ReadonlyMap<string, PullFault>> {
  const rows = await store.db
    .selectFrom("conditions")
    .select(["cluster_id", "reason", "message", "since_ms"])
    .where("type", "=", TYPE)
    .where("status", "=", "false")
    .execute();
  return new Map(
    rows.map(({ cluster_id, reason, message, since_ms }) => {
      const [text = "", remedy = ""] = message.split("\n");
      // A code of a later release is shown by its message.
      return [
        cluster_id,
        { code: isErrorCode(reason) ? reason : "internal", message: text, remedy, sinceMs: since_ms },
      ];
    }),
  );
}
