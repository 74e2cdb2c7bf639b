import type { ClusterView } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import { type ColumnDef, columnVisibilityFeature, tableFeatures } from "@tanstack/react-table";
import { ClusterRecord } from "../api/cluster-record.ts";
import { cutPercent, sharePercent } from "../format/money.ts";
import { UNKNOWN } from "../format/percent.ts";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { StaleChip, useStale } from "../parts/age.tsx";
import { Breakable } from "../parts/breakable.tsx";
import { ClusterState } from "../parts/cluster-state.tsx";
import { CoveredChip } from "../parts/covered.tsx";
import { Price } from "../parts/price.tsx";
import { WatermarkView } from "../parts/watermark-figures.tsx";
import type { ClusterColumn } from "./cluster-search.ts";

/** What the table of clusters uses of the table library: which columns are shown. The hub sorts, filters and pages. */
export const clusterTableFeatures = tableFeatures({ columnVisibilityFeature });

/** A cluster with the fields of its record that the table shows. */
export interface ClusterRow {
  readonly cluster: ClusterView;
  readonly record: ClusterRecord;
  /** Simulated among real ones: said in its row. Where all are, the banner says it. */
  readonly marked: boolean;
}

/** Parses the record of each cluster once. */
export function clusterRows(clusters: readonly ClusterView[], fleetSimulated: boolean): ClusterRow[] {
  return clusters.map((cluster) => ({
    cluster,
    record: ClusterRecord.parse(cluster.record),
    marked: cluster.simulated && !fleetSimulated,
  }));
}

/** Columns whose figures stand at the right. */
export const NUMERIC_COLUMNS: ReadonlySet<string> = new Set<ClusterColumn>(["nodes", "cost", "idle"]);

/** Of money in the table: the same in every row, so that rows compare. */
const DECIMALS = 2;

interface OfRow {
  readonly row: ClusterRow;
}

function column(
  id: ClusterColumn,
  Cell: (props: OfRow) => React.ReactNode,
): ColumnDef<typeof clusterTableFeatures, ClusterRow> {
  return { id, cell: ({ row }) => <Cell row={row.original} /> };
}

/** The columns of the table of clusters, in their order. */
export const CLUSTER_COLUMN_DEFS = [
  column("name", NameCell),
  column("state", ({ row }) => <ClusterState cluster={row.cluster} record={row.record} />),
  column("type", ({ row }) => text(row.record.cluster_type)),
  column("region", ({ row }) => text(row.record.region)),
  column("provider", ({ row }) => text(row.record.provider)),
  column("environment", EnvironmentCell),
  column("version", ({ row }) => text(row.record.k8s_version)),
  column("nodes", NodesCell),
  column("cpu", ({ row }) => <WatermarkCell row={row} resource="cpu" />),
  column("memory", ({ row }) => <WatermarkCell row={row} resource="memory" />),
  column("cost", CostCell),
  column("idle", IdleCell),
  column("mode", ModeCell),
];

function text(value: string | null) {
  return value === null ? <Unknown /> : <Breakable text={value} />;
}

function Unknown() {
  const { t } = useSpeech();
  return <span title={t.app.unknown}>{UNKNOWN}</span>;
}

function NameCell({ row: { cluster, marked } }: OfRow) {
  const { t } = useSpeech();
  const stale = useStale(cluster.receivedAt, cluster.connectivity.beatSeconds);
  return (
    <>
      <Link to="/clusters/$id" params={{ id: cluster.id }} data-row className="row-link">
        <Breakable text={cluster.name} />
      </Link>
      {cluster.watermarks !== null && stale && <StaleChip time={cluster.receivedAt} />}
      {marked && <span className="chip">{t.clusters.simulated}</span>}
    </>
  );
}

function EnvironmentCell({ row }: OfRow) {
  const { t } = useSpeech();
  const { environment } = row.record;
  return environment === null ? <Unknown /> : stateWord(t, environment);
}

function NodesCell({ row }: OfRow) {
  const { t, format } = useSpeech();
  const { nodes } = row.cluster;
  if (nodes === null) return <Unknown />;
  const out = Object.entries(nodes.excluded).map(([reason, count]) => `${reason}: ${format.count(count)}`);
  const said = t.clusters.ofNodes(format.count(nodes.schedulable), format.count(nodes.total));
  return (
    <span title={[said, ...out].join("\n")}>
      {format.count(nodes.schedulable)}
      <span className="muted">/{format.count(nodes.total)}</span>
    </span>
  );
}

function WatermarkCell({ row, resource }: OfRow & { readonly resource: string }) {
  const { receivedAt, connectivity, watermarks } = row.cluster;
  const stale = useStale(receivedAt, connectivity.beatSeconds);
  return <WatermarkView figures={watermarks?.find((figures) => figures.resource === resource)} stale={stale} />;
}

function CostCell({ row: { cluster } }: OfRow) {
  if (cluster.cost === null) return <Unknown />;
  return (
    <>
      <Price currency={cluster.cost.currency} amount={cluster.cost.total} decimals={DECIMALS} />
      {cluster.cost.coverage.fraction !== 1 && (
        <span className="sub">
          <CoveredChip coverage={cluster.cost.coverage} />
        </span>
      )}
    </>
  );
}

function IdleCell({ row: { cluster } }: OfRow) {
  const { t } = useSpeech();
  if (cluster.cost === null) return <Unknown />;
  const share = sharePercent(cluster.cost.idle, cluster.cost.total);
  return (
    <>
      <Price currency={cluster.cost.currency} amount={cluster.cost.idle} decimals={DECIMALS} />
      {share !== null && <span className="sub">{t.clusters.ofIt(cutPercent(share))}</span>}
    </>
  );
}

function ModeCell({ row: { cluster } }: OfRow) {
  const { t } = useSpeech();
  return <span title={t.cluster[cluster.mode]}>{stateWord(t, cluster.mode)}</span>;
}
