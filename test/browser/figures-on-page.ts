import type { ClusterView, Overview } from "@plimsoll/contracts/rest";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { countText, priceText, shareText } from "./expected-text.ts";
import { shown } from "./page-driver.ts";

/** Text of the first element as it is laid out. */
export const text = async (page: Page, selector: string): Promise<string> => shown(page.locator(selector).first());

/** The same with every gap one space, as a person reads it. */
export const read = async (page: Page, selector: string): Promise<string> =>
  (await text(page, selector)).replace(/\s+/g, " ");

/** The part of the overview under this heading. */
export const tile = (name: string): string => `section:has(> h2:text-is("${name}"))`;

/** The overview shows counts, watermarks and cost as this answer has them. */
export async function expectOverview(page: Page, overview: Overview): Promise<void> {
  expect(await text(page, `${tile("Clusters")} .big .figure`)).toBe(countText(overview.clusters.total));
  expect(await text(page, `${tile("Nodes")} .big .figure`)).toBe(countText(overview.nodes.schedulable));
  expect(await read(page, `${tile("Nodes")} .big`)).toContain(`of ${countText(overview.nodes.total)} in service`);
  for (const figures of overview.watermarks) {
    const load = await read(page, `[data-resource="${figures.resource}"] .load-text`);
    expect(load).toContain(`${shareText(figures.requested, figures.requestedAllocatable)} requested`);
    expect(load).toContain(`${shareText(figures.used, figures.usedAllocatable)} used`);
  }
  for (const rate of overview.cost) {
    for (const part of ["workloads", "idle", "system", "total"] as const) {
      const price = page.locator(`[data-currency="${rate.currency}"] [data-part="${part}"] .price`);
      expect(await shown(price)).toBe(priceText(rate.currency, rate[part]));
      expect(await price.getAttribute("title")).toBe(`${rate.currency} ${rate[part]}`);
    }
  }
}

/** The table shows these clusters, in this order, with their figures. */
export async function expectClusterRows(page: Page, clusters: readonly ClusterView[]): Promise<void> {
  const rows = page.locator("table.fleet tbody tr");
  expect(await rows.locator(".row-link").allInnerTexts()).toEqual(clusters.map(({ name }) => name));
  for (const [index, cluster] of clusters.entries()) {
    const row = rows.nth(index);
    const cell = async (column: string) => (await shown(row.locator(`.col-${column}`))).replace(/\s+/g, " ");
    const cpu = cluster.watermarks?.find(({ resource }) => resource === "cpu");
    expect(await cell("nodes")).toBe(cluster.nodes ? `${cluster.nodes.schedulable}/${cluster.nodes.total}` : "–");
    expect(await cell("cpu")).toMatch(new RegExp(`^${shareText(cpu?.requested, cpu?.requestedAllocatable)} `));
    expect(await cell("cpu")).toMatch(new RegExp(`${shareText(cpu?.used, cpu?.usedAllocatable)} used$`));
    expect(await cell("cost")).toBe(cluster.cost ? coveredPrice(cluster.cost) : "–");
    expect(await cell("mode")).toBe(cluster.mode);
    expect(await cell("version")).toBe(cluster.record.k8s_version ?? "–");
  }
}

/** The price, and what of it is backed by facts where that is not all: cut to tenths of a percent. */
function coveredPrice({ currency, total, coverage }: NonNullable<ClusterView["cost"]>): string {
  const price = priceText(currency, total);
  if (coverage.fraction === 1) return price;
  if (coverage.fraction === null) return `${price} coverage unknown`;
  const tenths = Math.floor(Math.round(coverage.fraction * 1e6) / 1e3);
  return `${price} ${Math.floor(tenths / 10)}.${tenths % 10}%`;
}
