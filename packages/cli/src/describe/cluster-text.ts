import type { ClusterDetail, ClusterView } from "@plimsoll/contracts/rest";
import { ageSeconds, formatAge, formatInstant } from "../format/age.ts";
import { coveredText, lossText } from "../format/coverage.ts";
import { decimalsFor, formatAmount, formatPrice } from "../format/money.ts";
import { plainText } from "../format/plain-text.ts";
import { pad, textWidth } from "../format/text-width.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { type Paint, painter } from "../paint.ts";
import { joinBlocks } from "../render/table/note-layout.ts";
import { layTable } from "../render/table/table-layout.ts";
import { recordText, recordTexts } from "../rest/cluster-figures.ts";
import { SIMULATED_LINE } from "../rest/fleet-notes.ts";
import type { TablePlace } from "../rest/show-answer.ts";
import { historyBlock } from "./history-block.ts";
import { layerBlock } from "./layer-block.ts";
import { LAYERS } from "./layers.ts";
import { watermarkColumns } from "./watermark-columns.ts";

type Row = readonly [label: string, value: string];

/** One cluster for a person at a terminal, layer by layer. `asOf` is when the hub was asked (RFC 3339). */
export function clusterText(cluster: ClusterDetail, place: TablePlace, asOf: string): string {
  const paint = painter(place.colours);
  const section = (title: string, rows: readonly Row[]) => [paint("bold", title), ...layRows(rows)];
  return joinBlocks([
    [paint("bold", plainText(cluster.name)), ...(cluster.simulated ? [SIMULATED_LINE] : [])],
    section("State", stateRows(cluster, asOf)),
    ...LAYERS.map((layer) => layerBlock(layer, cluster, asOf, paint)),
    section("Nodes", nodeRows(cluster)),
    watermarkBlock(cluster, place, paint),
    section("Cost per hour", costRows(cluster, asOf)),
    historyBlock(cluster.history, paint),
  ]);
}

function layRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => textWidth(label)));
  return rows.map(([label, value]) => `  ${pad(label, width, "left")}  ${plainText(value)}`.trimEnd());
}

function stateRows(cluster: ClusterView, asOf: string): Row[] {
  const { connectivity, mode } = cluster;
  const { state, since, lastBeatAt, beatSeconds, lateAfterSeconds, unknownAfterSeconds } = connectivity;
  const reasons = recordTexts(cluster, "health_reasons");
  const health = recordText(cluster, "health_status") ?? "unknown";
  return [
    ["connectivity", `${state}, for ${age(since, asOf)} (since ${formatInstant(since)})`],
    ["last beat", lastBeatAt === null ? "never" : `${age(lastBeatAt, asOf)} ago`],
    ["expected", `each ${beatSeconds} s; late after ${lateAfterSeconds} s, unknown after ${unknownAfterSeconds} s`],
    ["health", reasons.length === 0 ? health : `${health}: ${reasons.join("; ")}`],
    ["reported by", mode === "push" ? "its agent (push)" : "the hub itself, which reads its API (pull)"],
    ["last report", reportText(cluster, asOf)],
    ["id", cluster.id],
  ];
}

function reportText({ observedAt, receivedAt }: ClusterView, asOf: string): string {
  if (observedAt === null || receivedAt === null) return "none yet";
  return `observed ${age(observedAt, asOf)} ago, received ${age(receivedAt, asOf)} ago`;
}

function nodeRows({ nodes }: ClusterView): Row[] {
  if (nodes === null) return [["in service", UNKNOWN]];
  const excluded = Object.entries(nodes.excluded).filter(([, count]) => count > 0);
  return [
    ["in service", `${nodes.schedulable} of ${nodes.total}`],
    ...excluded.map(([reason, count]): Row => [`out: ${reason}`, String(count)]),
    ["reporting usage", String(nodes.reportingUsage)],
  ];
}

function watermarkBlock(cluster: ClusterView, { width }: TablePlace, paint: Paint): string[] {
  if (cluster.watermarks === null || cluster.watermarks.length === 0) return [];
  return [
    paint("bold", "Watermarks, % of allocatable on nodes in service"),
    ...layTable(watermarkColumns(cluster.watermarks), width === undefined ? undefined : width - 2, 2, paint).map(
      (line) => `  ${line}`,
    ),
  ];
}

function costRows({ cost }: ClusterView, asOf: string): Row[] {
  if (cost === null) return [["total", UNKNOWN]];
  const decimals = decimalsFor(cost.total);
  const [covered, losses] = [coveredText(cost.coverage), lossText(cost.coverage)];
  const part = (text: string) => formatAmount(text, decimals);
  return [
    ["total", formatPrice(cost.currency, cost.total, decimals)],
    ["made of", `workloads ${part(cost.workloads)} + idle ${part(cost.idle)} + system ${part(cost.system)}`],
    ["prices", cost.priceSource],
    ["covered", losses === "" ? covered : `${covered} of the last hour and this one: ${losses}`],
    ["as of", `${formatInstant(cost.asOf)} (${age(cost.asOf, asOf)} ago)`],
  ];
}

function age(instant: string, asOf: string): string {
  return formatAge(ageSeconds(instant, asOf));
}
