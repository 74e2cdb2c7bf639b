import type { ClusterView } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import { useTable } from "@tanstack/react-table";
import { useMemo } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { CLUSTER_COLUMN_DEFS, clusterRows, clusterTableFeatures, NUMERIC_COLUMNS } from "./cluster-columns.tsx";
import {
  CLUSTER_COLUMNS,
  type ClusterColumn,
  type ClusterSearch,
  nextSort,
  shownColumns,
  withChange,
} from "./cluster-search.ts";

/** One page of clusters. `waiting` = the rows are of the question before, the new ones are on their way. */
export function ClusterTable(props: {
  readonly clusters: readonly ClusterView[];
  readonly search: ClusterSearch;
  readonly waiting: boolean;
  readonly fleetSimulated: boolean;
}) {
  const { t } = useSpeech();
  const { clusters, search, waiting, fleetSimulated } = props;
  const data = useMemo(() => clusterRows(clusters, fleetSimulated), [clusters, fleetSimulated]);
  const columnVisibility = useMemo(() => {
    const shown = shownColumns(search);
    return Object.fromEntries(CLUSTER_COLUMNS.map((column) => [column, shown.has(column)]));
  }, [search]);
  const table = useTable({
    features: clusterTableFeatures,
    columns: CLUSTER_COLUMN_DEFS,
    data,
    getRowId: ({ cluster }) => cluster.id,
    state: { columnVisibility },
  });
  return (
    <Scroll of={t.clusters.title}>
      <table className="fleet" aria-busy={waiting}>
        <thead>
          <tr>
            {table.getVisibleLeafColumns().map(({ id }) => (
              <ColumnHead key={id} column={columnOf(id)} search={search} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} data-cluster={row.original.cluster.name}>
              {row.getVisibleCells().map((cell) => {
                const Tag = cell.column.id === "name" ? "th" : "td";
                return (
                  <Tag
                    key={cell.id}
                    scope={Tag === "th" ? "row" : undefined}
                    className={cellClass(cell.column.id)}
                    data-label={t.clusters.column[columnOf(cell.column.id)]}
                  >
                    <table.FlexRender cell={cell} />
                  </Tag>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The column of this table that the library means by its id. */
function columnOf(id: string): ClusterColumn {
  return CLUSTER_COLUMNS.find((column) => column === id) ?? "name";
}

function cellClass(column: string): string {
  return NUMERIC_COLUMNS.has(column) ? `col-${column} num` : `col-${column}`;
}

/** The head of a column is a link to the next order by it, so that an order can be opened in a tab of its own. */
function ColumnHead({ column, search }: { readonly column: ClusterColumn; readonly search: ClusterSearch }) {
  const { t } = useSpeech();
  const order = search.sort === column ? "ascending" : search.sort === `-${column}` ? "descending" : undefined;
  return (
    <th scope="col" className={cellClass(column)} aria-sort={order}>
      <Link
        to="/clusters"
        search={withChange(search, { sort: nextSort(search.sort, column) })}
        title={t.clusters.sortBy(t.clusters.column[column])}
      >
        {t.clusters.column[column]}
      </Link>
    </th>
  );
}
