import { PlimsollError } from "@plimsoll/contracts";
import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { type ColumnTypes, columnTypes } from "./column-types.ts";
import { addAudit } from "./migrations/0001-audit.ts";
import { addFleet } from "./migrations/0002-fleet.ts";
import { addLedger } from "./migrations/0003-ledger.ts";
import { addCost } from "./migrations/0004-cost.ts";
import { addJoinKeys } from "./migrations/0005-join-keys.ts";
import { addSegmentEnds } from "./migrations/0006-segment-ends.ts";
import { addCoverage } from "./migrations/0007-coverage.ts";
import { addIdentity } from "./migrations/0008-identity.ts";
import { addLostRanges } from "./migrations/0009-lost-ranges.ts";
import type { Tables } from "./tables.ts";

/** A step of the schema, the same on both stores but for the words that `types` differ in. */
type Step = (db: Kysely<Tables>, types: ColumnTypes) => Promise<void>;

/** In order. A step that was released never changes; a change is a new step. */
const STEPS: Readonly<Record<string, Step>> = {
  "0001-audit": addAudit,
  "0002-fleet": addFleet,
  "0003-ledger": addLedger,
  "0004-cost": addCost,
  "0005-join-keys": addJoinKeys,
  "0006-segment-ends": addSegmentEnds,
  "0007-coverage": addCoverage,
  "0008-identity": addIdentity,
  "0009-lost-ranges": addLostRanges,
};

/** Runs the steps that are missing, each in its transaction, and returns their names. Throws `store_schema_newer`. */
export async function migrateToLatest(db: Kysely<Tables>, dialect: ColumnTypes["dialect"]): Promise<readonly string[]> {
  const types = columnTypes(dialect);
  const migrations = Object.fromEntries(
    Object.entries(STEPS).map(([name, step]): [string, Migration] => [name, { up: (trx) => step(trx, types) }]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw schemaError(error);
  return (results ?? []).map(({ migrationName }) => migrationName);
}

function schemaError(error: unknown): PlimsollError {
  const reason = error instanceof Error ? error.message : String(error);
  const newer = /previously executed migration (\S+) is missing/.exec(reason);
  if (newer) return new PlimsollError("store_schema_newer", { step: newer[1] ?? "" }, { cause: error });
  return new PlimsollError("store_unavailable", { store: "the control store", reason }, { cause: error });
}
