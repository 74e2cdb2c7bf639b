import type { CostGroup, CostReport } from "@plimsoll/contracts";
import { costShares } from "../../format/cost-shares.ts";
import { decimalsFor, sharePercent, sumAmounts } from "../../format/money.ts";
import { amount } from "./amount.ts";
import { costBar } from "./cost-bar.ts";
import { html, type Markup } from "./markup.ts";

/** Rows of a cluster's cost by namespace or label. */
const CLUSTER_ROWS = 10;

/** Remainders that have a name of their own, and what they mean. */
const REMAINDERS: ReadonlyMap<string, { readonly label: string; readonly meaning: string }> = new Map([
  ["__unallocated__", { label: "without the label", meaning: "workloads that do not carry this label" }],
  ["__idle__", { label: "idle", meaning: "paid for and neither requested nor used" }],
  ["__system__", { label: "system", meaning: "what nodes keep for themselves (capacity − allocatable)" }],
]);

/** What a cluster costs an hour: the parts, then by namespace and by each label that tells something. */
export function costTables(cost: CostReport): Markup {
  const labels = Object.entries(cost.byLabel);
  const telling = labels.filter(([, groups]) => groups.some(({ name }) => !REMAINDERS.has(name)));
  const silent = labels.filter(([, groups]) => !groups.some(({ name }) => !REMAINDERS.has(name))).map(([key]) => key);
  return html`<div class="cost-sum">${costBar(cost.currency, cost.hourly)}</div>
<div class="pair">${costTable("By namespace", cost, cost.byNamespace)}${telling.map(([key, groups]) => costTable(`By label ${key}`, cost, groups))}</div>
${silent.length > 0 && html`<p class="muted">No workload carries the ${silent.length === 1 ? "label" : "labels"} ${silent.join(", ")}.</p>`}
${cost.unpricedNodes.length > 0 && html`<p class="muted">Without a price, and missing from the cost: ${cost.unpricedNodes.join(", ")}.</p>`}`;
}

/** One split of a cost: the `rows` largest groups, the sum of all others, the named remainders, the total. */
export function costTable(
  title: string,
  cost: Pick<CostReport, "currency" | "hourly">,
  groups: readonly CostGroup[],
  rows = CLUSTER_ROWS,
): Markup {
  const { total } = cost.hourly;
  const decimals = Math.max(decimalsFor(total), 4);
  const shown = topGroups(groups, rows);
  const shares = costShares(
    shown.map(({ hourly }) => hourly),
    total,
  );
  const row = ({ name, hourly }: CostGroup, index: number) => {
    const remainder = REMAINDERS.get(name);
    return html`<tr${remainder && html` class="remainder"`}><th scope="row"${remainder && html` title="${remainder.meaning}"`}>${remainder?.label ?? name}</th><td class="num">${amount(cost.currency, hourly, decimals)}</td><td class="share">${shareBar(hourly, total)}<span>${shares[index]}</span></td></tr>`;
  };
  return html`<table class="list"><caption>${title}</caption><thead><tr><th scope="col">Name</th><th scope="col" class="num">${cost.currency} per hour</th><th scope="col">Share</th></tr></thead>
<tbody>${shown.map(row)}</tbody><tfoot><tr><th scope="row">total</th><td class="num">${amount(cost.currency, total, decimals)}</td><td></td></tr></tfoot></table>`;
}

/** The largest, the sum of all others (so that rows add up to the total), then the remainders. */
function topGroups(groups: readonly CostGroup[], rows: number): CostGroup[] {
  const named = groups.filter(({ name }) => !REMAINDERS.has(name)).sort((a, b) => Number(b.hourly) - Number(a.hourly));
  const others = named.slice(rows);
  const rest = { name: `${others.length} others`, hourly: sumAmounts(others.map(({ hourly }) => hourly)) };
  const remainders = [...REMAINDERS.keys()].flatMap((name) => groups.filter((group) => group.name === name));
  return [...named.slice(0, rows), ...(others.length === 0 ? [] : [rest]), ...remainders];
}

function shareBar(part: string, whole: string): Markup {
  return html`<svg class="mini" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="fill" width="${Math.min(100, sharePercent(part, whole) ?? 0)}" height="6"/></svg>`;
}
