import type { ClusterView, Coverage } from "@plimsoll/contracts/rest";
import { coveredText, isPartial, lossText } from "../format/coverage.ts";
import { formatCount } from "../format/quantity.ts";
import type { Note } from "../render/table/note-layout.ts";

/** A fleet that is cut off has one for each cluster: enough of them to see what is wrong. */
const TOP = 20;

/** Above the notes of `coverageNotes`. */
export const COVERAGE_TITLE = "Not fully backed by facts (the last hour and this one)";

/** Whose hourly cost is not fully backed by facts, and why, the worst first. */
export function coverageNotes(figures: readonly { readonly cluster: string; readonly coverage: Coverage }[]): Note[] {
  const byCluster = new Map(figures.map(({ cluster, coverage }) => [cluster, coverage]));
  const partial = [...byCluster]
    .filter(([, coverage]) => isPartial(coverage))
    .sort(([, a], [, b]) => (a.fraction ?? 0) - (b.fraction ?? 0));
  const notes = partial.slice(0, TOP).map(
    ([cluster, coverage]): Note => ({
      sign: { text: "◔" },
      text: `${cluster}: ${coveredText(coverage)}${why(coverage)}`,
    }),
  );
  const rest = partial.length - notes.length;
  return rest === 0 ? notes : [...notes, { sign: { text: "…" }, text: `${formatCount(rest)} more: see -o json` }];
}

/** The coverage of each cluster that has an hourly cost. */
export function ratesOf(clusters: readonly Pick<ClusterView, "name" | "cost">[]) {
  return clusters.flatMap(({ name, cost }) => (cost === null ? [] : [{ cluster: name, coverage: cost.coverage }]));
}

function why(coverage: Coverage): string {
  const text = lossText(coverage);
  return text === "" ? "" : `, ${text}`;
}
