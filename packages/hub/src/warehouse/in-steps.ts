import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { literal, literals } from "./duck.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Rows that are sorted or joined at a time: a few hundred bytes each, well below the memory of the engine. */
export const STEP_ROWS = 200_000;

/** Clusters with their rows, as ranges of neighbours that are worked on one after the other, of so many rows at most. */
export function clusterRanges(
  rows: readonly { readonly clusterId: string; readonly rows: number }[],
  stepRows = STEP_ROWS,
): readonly (readonly [string, string])[] {
  const ranges: [string, string][] = [];
  let inRange = 0;
  for (const { clusterId, rows: ofCluster } of rows.toSorted((a, b) => (a.clusterId < b.clusterId ? -1 : 1))) {
    const range = ranges.at(-1);
    if (range && inRange + ofCluster <= stepRows) range[1] = clusterId;
    else ranges.push([clusterId, clusterId]);
    inRange = range && range === ranges.at(-1) ? inRange + ofCluster : ofCluster;
  }
  return ranges;
}

/** The condition for a range of clusters. */
export function ofRange([first, last]: readonly [string, string]): string {
  return `cluster_id between ${literal(first)} and ${literal(last)}`;
}

/**
 * Runs queries one after the other, each into a file of its own that nobody keeps, and gives `use` something to select all
 * of their rows from. What does not fit into memory at once does in steps; putting the steps together only streams.
 */
export async function inSteps<T>(
  connection: DuckDBConnection,
  dataDir: string,
  selects: readonly string[],
  use: (source: string) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  try {
    const paths: string[] = [];
    for (const select of selects) {
      const path = join(folder, `${paths.length}.parquet`);
      await connection.run(
        `copy (${select}) to ${literal(path)} (format parquet, compression snappy, row_group_size 20480)`,
      );
      paths.push(path);
    }
    return await use(`read_parquet([${literals(paths)}])`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
