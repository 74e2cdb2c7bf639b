import type { ClusterList } from "@plimsoll/contracts/rest";
import { ageSeconds, formatAge, formatInstant } from "../format/age.ts";
import { formatCount } from "../format/quantity.ts";
import type { Note } from "../render/table/note-layout.ts";

/** A fleet that is cut off has one for each cluster: enough of them to see what is wrong. */
const TOP = 20;

type FleetErrors = Pick<ClusterList, "errors" | "asOf">;

/** What a fleet answer lacks, since when, and what to do about it. */
export function missingNotes({ errors, asOf }: FleetErrors): Note[] {
  const notes = errors.slice(0, TOP).map(({ cluster, code, message, remedy, since }) => {
    // Most of the hub's sentences name the cluster.
    const subject = message.includes(cluster) ? message : `${cluster}: ${message}`;
    const age = since === null ? "" : `, for ${formatAge(ageSeconds(since, asOf))}`;
    return { sign: { text: "✗", style: "red" }, text: `${subject} [${code}]${age}`, remedy } satisfies Note;
  });
  const rest = errors.length - notes.length;
  return rest === 0 ? notes : [...notes, { sign: { text: "…" }, text: `${formatCount(rest)} more: see -o json` }];
}

/** When the hub answered, and what a dash means. */
export function asOfLine(asOf: string): string {
  return `As of ${formatInstant(asOf)}. – is unknown.`;
}

/** Said wherever figures of simulated clusters are shown. */
export const SIMULATED_LINE = "Simulated clusters: none of them is real, and no figure is.";

/** Age of an instant in a cell: `"12 s"`; never seen = `"–"`. */
export function ageCell(instant: string | null, asOf: string): string {
  return instant === null ? "–" : formatAge(ageSeconds(instant, asOf));
}
