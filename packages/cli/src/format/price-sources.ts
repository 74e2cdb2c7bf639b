import type { ClusterReport } from "@plimsoll/contracts";
import { formatCount } from "./quantity.ts";

const WORDS: Readonly<Record<string, string>> = { default: "built-in defaults" };

/** Where the prices came from, for the whole report: `"built-in defaults"`, or each source with its count of nodes. */
export function describePriceSources(clusters: readonly ClusterReport[]): string {
  const nodes = new Map<string, number>();
  for (const { cost } of clusters) {
    for (const [source, count] of Object.entries(cost?.priceSources ?? {})) {
      nodes.set(source, (nodes.get(source) ?? 0) + count);
    }
  }
  if (nodes.size === 0) return "none known";
  if (nodes.size === 1) return [...nodes.keys()].map(word).join("");
  return [...nodes].map(([source, count]) => `${word(source)} (${formatCount(count)} nodes)`).join(", ");
}

function word(source: string): string {
  return WORDS[source] ?? source;
}
