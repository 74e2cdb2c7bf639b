import { join } from "node:path";
import { openStore } from "../../packages/hub/src/store/store.ts";
import { Duck } from "../../packages/hub/src/warehouse/duck.ts";
import type { QueryRow } from "../../packages/hub/src/warehouse/query-row.ts";

/** One row of the hub's files, as it stands there. */
export interface HeldRow {
  /** As `nameOf` makes them. */
  readonly name: string;
  readonly spoolId: string;
  readonly sequence: number;
  /** How often the very same row is there. */
  readonly times: number;
  /** Usage: nanocore-seconds and byte-seconds; samples: what was requested. */
  readonly cpu: bigint;
  readonly memory: bigint;
}

/** A gap that the hub holds. */
export interface HeldGap {
  readonly name: string;
  readonly reason: string;
  readonly missing: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly lost: { readonly spoolId: string; readonly first: number; readonly last: number } | null;
}

/** Everything that a hub holds of facts, read from its files with queries of our own. */
export interface HeldFacts {
  readonly rows: readonly HeldRow[];
  readonly gaps: readonly HeldGap[];
  /** Batches that could not be applied: code and message. */
  readonly quarantine: readonly string[];
  /** Files that the ledger names and that are missing or damaged. */
  readonly broken: number;
  /** Hours whose price is older than their facts. */
  readonly unpriced: number;
}

const KEY = "spool_id, sequence";
const QUERIES = {
  usage: `select 'usage ' || pod_uid || ' ' || as_of_ms as name, ${KEY}, count(*) filter (resource = 'cpu') as times,
    coalesce(max(charged) filter (resource = 'cpu'), 0)::varchar as cpu,
    coalesce(max(charged) filter (resource = 'memory'), 0)::varchar as memory`,
  node: `select 'node ' || node_uid || ' ' || hour_start_ms || ' ' || as_of_ms as name, ${KEY},
    count(*) filter (resource = 'cpu') as times, '0' as cpu, '0' as memory`,
  sample: `select 'sample ' || subject || ' ' || window_start_ms as name, ${KEY}, count(*) as times,
    max(requested)::varchar as cpu, '0' as memory`,
  gap: `select 'gap ' || start_ms || ' ' || reason || ' ' || coalesce(lost_spool_id, '') as name, ${KEY},
    count(*) as times, '0' as cpu, '0' as memory`,
} as const;

/** Reads the data folder of a hub, running or not. `scratch` is a folder for DuckDB. */
export async function heldFacts(dataDir: string, scratch: string): Promise<HeldFacts> {
  const store = await openStore({ sqlite: join(dataDir, "hub.sqlite") });
  const duck = await Duck.open({ temporaryFolder: scratch, memoryMegabytes: 256, threads: 1 });
  try {
    const segments = await store.db.selectFrom("segments").select(["kind", "path", "state"]).execute();
    const filesOf = (kind: string) =>
      segments.filter((one) => one.kind === kind && one.state === "live").map(({ path }) => join(dataDir, path));
    const rows: HeldRow[] = [];
    for (const [kind, query] of Object.entries(QUERIES)) {
      const read = await ask(duck, `${query} from $files group by name, ${KEY}`, filesOf(kind));
      rows.push(...read.map(rowOf));
    }
    const gaps = await ask(duck, "select * from $files", filesOf("gap"));
    const quarantine = await store.db.selectFrom("quarantine").select(["code", "message"]).execute();
    const hours = await store.db.selectFrom("cost_hours").select(["facts_version", "priced_version"]).execute();
    return {
      rows,
      gaps: gaps.map(gapOf),
      quarantine: quarantine.map(({ code, message }) => `${code}: ${message}`),
      broken: segments.filter(({ state }) => state === "broken").length,
      unpriced: hours.filter((hour) => hour.facts_version !== hour.priced_version).length,
    };
  } finally {
    duck.close();
    await store.close();
  }
}

async function ask(duck: Duck, query: string, files: readonly string[]): Promise<readonly QueryRow[]> {
  if (files.length === 0) return [];
  const names = files.map((file) => `'${file.replaceAll("'", "''")}'`);
  return duck.query(query.replace("$files", `read_parquet([${names.join(", ")}], union_by_name = true)`));
}

function rowOf(row: QueryRow): HeldRow {
  return {
    name: row.text("name"),
    spoolId: row.text("spool_id"),
    sequence: row.number("sequence"),
    times: row.number("times"),
    cpu: BigInt(row.text("cpu")),
    memory: BigInt(row.text("memory")),
  };
}

function gapOf(row: QueryRow): HeldGap {
  const spoolId = row.textOrNull("lost_spool_id");
  return {
    name: `gap ${row.number("start_ms")} ${row.text("reason")} ${spoolId ?? ""}`,
    reason: row.text("reason"),
    missing: row.textOrNull("missing"),
    startMs: row.number("start_ms"),
    endMs: row.numberOrNull("end_ms") ?? row.number("as_of_ms"),
    lost: spoolId === null ? null : { spoolId, first: row.number("lost_first"), last: row.number("lost_last") },
  };
}
