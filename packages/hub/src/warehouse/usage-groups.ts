import type { DuckDBConnection } from "@duckdb/node-api";
import type { CostOwner } from "./cost-record.ts";
import { type Duck, queryRows } from "./duck.ts";
import type { QueryRow } from "./query-row.ts";

/** Whom usage belongs to. Groups of one owner share the object within an answer. */
export interface UsageOwner extends CostOwner {
  /** Equal for equal owners, of any answer; an order of owners. */
  readonly key: string;
}

/** Where usage was. Groups of one place share the object within an answer. */
interface UsagePlace {
  readonly clusterId: string;
  /** Null when only the name is known. */
  readonly nodeUid: string | null;
  readonly nodeName: string;
}

/** What every group of usage says. */
export interface GroupBase {
  readonly owner: UsageOwner;
  readonly place: UsagePlace;
  /** Null = pods without any resource. */
  readonly resource: string | null;
  readonly pods: number;
  /** Of the newest row. */
  readonly asOfMs: number;
}

/** Columns that many groups have in common: each set of them is read once, for texts are what takes the time. */
const OWNER = [
  "namespace",
  "workload_type",
  "workload_name",
  "cost_center",
  "env",
  "owner_team",
  "label_source",
  "labels",
  "mode",
] as const;
const PLACE = ["cluster_id", "node_uid", "node_name"] as const;
const RESOURCE = ["resource"] as const;

/** Usage rows (`rows` is a query for them) grouped by owner, place and resource, with `sums` for each group. */
export function groupUsage<Group>(
  duck: Duck,
  rows: string,
  sums: string,
  read: (row: QueryRow, base: GroupBase) => Group,
): Promise<readonly Group[]> {
  return duck.use(async (connection) => {
    const keys = [...OWNER, ...PLACE, ...RESOURCE].join(", ");
    const counts = "count(*) as pods, max(as_of_ms) as as_of_ms";
    await connection.run(
      `create temp table grouped as select ${keys}, ${counts}, ${sums} from (${rows}) group by ${keys}`,
    );
    const owners = await listOf(connection, "owners", OWNER, readOwner);
    const places = await listOf(connection, "places", PLACE, readPlace);
    const resources = await listOf(connection, "resources", RESOURCE, (row) => row.textOrNull("resource"));
    const groups = await queryRows(
      connection,
      `select grouped.* exclude (${keys}), owners.number as owner, places.number as place, resources.number as resource
       from grouped join owners on ${same("owners", OWNER)} join places on ${same("places", PLACE)}
         join resources on ${same("resources", RESOURCE)}`,
    );
    return groups.flatMap((row) => {
      const owner = owners[row.number("owner")];
      const place = places[row.number("place")];
      const resource = resources[row.number("resource")] ?? null;
      const counted = { pods: row.number("pods"), asOfMs: row.number("as_of_ms") };
      return owner && place ? [read(row, { owner, place, resource, ...counted })] : [];
    });
  });
}

/** The distinct sets of some columns of `grouped`: as a table with their numbers, and read, in that order. */
async function listOf<Thing>(
  connection: DuckDBConnection,
  name: string,
  columns: readonly string[],
  read: (row: QueryRow) => Thing,
): Promise<readonly Thing[]> {
  const distinct = `select distinct ${columns.join(", ")} from grouped`;
  await connection.run(`create temp table ${name} as select row_number() over () - 1 as number, * from (${distinct})`);
  return (await queryRows(connection, `select * from ${name} order by number`)).map(read);
}

function same(table: string, columns: readonly string[]): string {
  return columns.map((column) => `grouped.${column} is not distinct from ${table}.${column}`).join(" and ");
}

function readOwner(row: QueryRow): UsageOwner {
  const owner: CostOwner = {
    namespace: row.text("namespace"),
    workloadType: row.text("workload_type"),
    workloadName: row.text("workload_name"),
    costCenter: row.textOrNull("cost_center"),
    env: row.textOrNull("env"),
    ownerTeam: row.textOrNull("owner_team"),
    labelSource: row.text("label_source"),
    labels: row.text("labels"),
    mode: row.text("mode"),
  };
  return { ...owner, key: JSON.stringify(Object.values(owner)) };
}

function readPlace(row: QueryRow): UsagePlace {
  return {
    clusterId: row.text("cluster_id"),
    nodeUid: row.textOrNull("node_uid"),
    nodeName: row.text("node_name"),
  };
}
