import type { ClusterHistory } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { formatCount } from "../format/quantity.ts";
import type { Paint } from "../paint.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { layTable } from "../render/table/table-layout.ts";

const MOST = 10;

/** What became of a cluster: how much of the time it was heard of, and its newest changes. */
export function historyBlock(history: ClusterHistory, paint: Paint): string[] {
  const { since, transitions } = history;
  const shown = transitions.slice(0, MOST);
  const more = transitions.length - shown.length;
  const column = columnMaker(shown);
  const table = layTable(
    [
      column("AT", "left", ({ at }) => formatInstant(at)),
      column("CHANGE", "left", ({ type, from, to }) => `${type}: ${from ?? "unknown"} → ${to}`),
      column("REASON", "left", ({ reason }) => reason),
    ],
    undefined,
    2,
    paint,
  );
  return [
    paint("bold", `History since ${formatInstant(since)}`),
    `  ${uptimeText(history)}`,
    ...(shown.length === 0 ? [] : table.map((line) => `  ${line}`)),
    ...(more > 0 ? [`  ${formatCount(more)} older: see -o json`] : []),
  ];
}

function uptimeText({ uptime, outages }: ClusterHistory): string {
  if (uptime === null) return "never heard of";
  const times = outages === 1 ? "once" : `${formatCount(outages)} times`;
  return `heard of for ${percentText(uptime)} of the time, ${outages === 0 ? "never offline" : `${times} offline`}`;
}

/** Two places, cut: what is not all of the time never reads 100%. */
function percentText(share: number): string {
  return share === 1 ? "100%" : `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}
