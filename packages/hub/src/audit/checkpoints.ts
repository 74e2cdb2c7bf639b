import type { Clock } from "@plimsoll/collect";
import { reportError } from "@plimsoll/contracts";
import type { HubLog } from "../log/hub-log.ts";
import type { Store } from "../store/store.ts";
import { lastRow } from "./audit.ts";
import type { AuditCheckpoint, CheckpointKey } from "./checkpoint-key.ts";

/** What making checkpoints needs. */
export interface CheckpointDeps {
  readonly store: Store;
  readonly key: CheckpointKey;
  readonly clock: Clock;
  readonly log: HubLog;
  /** Default an hour. */
  readonly everyMs?: number;
}

/** Signs the end of the audit log every hour that it grew in. */
export interface Checkpoints {
  /** Signs the end of the log now; null when a checkpoint of it exists, or the log is empty. */
  make(): Promise<AuditCheckpoint | null>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Checkpoints of a log; nothing runs before `start`. Each is also a line of the hub's own log, so that whoever ships logs
 * away keeps them where nobody with access to the hub can change them.
 */
export function createCheckpoints({ store, key, clock, log, everyMs = 3_600_000 }: CheckpointDeps): Checkpoints {
  let cancel: () => void = () => {};
  let running: Promise<unknown> = Promise.resolve();

  async function make(): Promise<AuditCheckpoint | null> {
    const made = await store.write(async (trx) => {
      const last = await lastRow(trx);
      if (!last) return null;
      const known = trx.selectFrom("audit_checkpoints").select("audit_id").where("audit_id", "=", last.id);
      if (await known.executeTakeFirst()) return null;
      const checkpoint = key.sign({ auditId: last.id, hash: last.hash, atMs: clock.now() });
      const { auditId, hash, atMs, signature } = checkpoint;
      await trx.insertInto("audit_checkpoints").values({ audit_id: auditId, hash, at_ms: atMs, signature }).execute();
      return checkpoint;
    });
    if (made) log("info", "audit_checkpoint", { ...made });
    return made;
  }

  function turn(): void {
    running = make().catch((error: unknown) => log("error", "audit_checkpoint_failed", { ...reportError(error) }));
    schedule();
  }

  function schedule(): void {
    cancel = clock.setTimer(everyMs, turn);
  }

  return {
    make,
    start: schedule,
    stop: async () => {
      cancel();
      await running;
    },
  };
}

/** Every checkpoint of the store, oldest first. */
export async function storedCheckpoints({ db }: Store): Promise<readonly AuditCheckpoint[]> {
  const rows = await db.selectFrom("audit_checkpoints").selectAll().orderBy("audit_id").execute();
  return rows.map(({ audit_id, hash, at_ms, signature }) => ({ auditId: audit_id, hash, atMs: at_ms, signature }));
}
