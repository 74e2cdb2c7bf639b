import { mkdirSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";
import { PlimsollError } from "@plimsoll/contracts";
import { QueryRow } from "./query-row.ts";

/** What DuckDB may take. */
export interface DuckOptions {
  /** Where it puts what does not fit into memory; made when it is missing. */
  readonly temporaryFolder: string;
  readonly memoryMegabytes: number;
  readonly threads: number;
}

/** DuckDB in memory, as a reader and writer of Parquet files. It holds nothing that is not in a file too. */
export class Duck {
  private readonly instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance) {
    this.instance = instance;
  }

  /** Nothing is downloaded: what is needed is linked in. */
  static async open({ temporaryFolder, memoryMegabytes, threads }: DuckOptions): Promise<Duck> {
    mkdirSync(temporaryFolder, { recursive: true });
    const instance = await DuckDBInstance.create(":memory:", {
      threads: `${threads}`,
      memory_limit: `${memoryMegabytes}MB`,
      temp_directory: temporaryFolder,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      preserve_insertion_order: "false",
      // Facts come in order of time, so a file's rows are near each other anyhow.
      enable_object_cache: "true",
    });
    return new Duck(instance);
  }

  /** A connection of its own, with its own temporary tables, closed at the end. */
  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  }

  /** Rows of one query; `$1 …` are taken from `values`. Throws `warehouse_unavailable`. */
  query(sql: string, values: DuckDBValue[] = []): Promise<readonly QueryRow[]> {
    return this.use((connection) => queryRows(connection, sql, values));
  }

  close(): void {
    this.instance.closeSync();
  }
}

/** Rows of one query on a connection. Throws `warehouse_unavailable`. */
export async function queryRows(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[] = [],
): Promise<readonly QueryRow[]> {
  try {
    const reader = await connection.runAndReadAll(sql, values);
    const columns = new Map(reader.columnNames().map((name, index) => [name, index]));
    return reader.getRows().map((cells) => new QueryRow(columns, cells));
  } catch (cause) {
    throw unavailable("read", cause);
  }
}

/** A failure of the fact store as a coded error. */
export function unavailable(doing: "read" | "written", cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return new PlimsollError("warehouse_unavailable", { doing, reason }, { cause });
}

/** Did the engine lack memory? Smaller pieces may fit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof PlimsollError && /^Out of Memory/.test(String(error.fields.reason));
}

/** A text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Texts as the inside of an SQL list. */
export function literals(texts: readonly string[]): string {
  return texts.map(literal).join(", ");
}

/** A condition for some clusters, with bounds that let files and parts of files be skipped. */
export function ofClusters(clusterIds: readonly string[]): string {
  const sorted = clusterIds.toSorted();
  const [first = "", last = ""] = [sorted[0], sorted.at(-1)];
  return `cluster_id between ${literal(first)} and ${literal(last)} and cluster_id in (${literals(["", ...sorted])})`;
}
