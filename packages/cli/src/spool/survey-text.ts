import type { SpoolSurvey, SurveyedSegment } from "@plimsoll/agent/spool";
import { BATCH_KINDS } from "@plimsoll/contracts/wire";
import { formatAge, formatInstant } from "../format/age.ts";
import { formatCount } from "../format/quantity.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { painter } from "../paint.ts";
import { joinBlocks, layNotes, layText, type Note, noteWidth } from "../render/table/note-layout.ts";
import { layTable, type TableColumn } from "../render/table/table-layout.ts";
import type { TablePlace } from "../rest/show-answer.ts";

/** Files of the quarantine that are named; the others are counted. */
const MOST_NAMED = 20;

/** A spool for a person at a terminal: how it is, a line for each segment, then what is wrong. */
export function surveyText(survey: SpoolSurvey, place: TablePlace, nowMs: number): string {
  const paint = painter(place.colours);
  const width = noteWidth(place.width);
  const { segments } = survey;
  return joinBlocks([
    layText(headLines(survey, nowMs), width),
    segments.length === 0 ? [] : layTable(columnsOf(segments, nowMs), place.width, 2, paint),
    layNotes("Damaged", damageNotes(segments), width, paint),
    layNotes("Lost, and told to the hub when the agent runs", lossNotes(survey), width, paint),
    layNotes("In quarantine", quarantineNotes(survey), width, paint),
  ]);
}

function headLines({ path, usedByPid, reserveBytes, segments }: SpoolSurvey, nowMs: number): string[] {
  const ofKind = BATCH_KINDS.map((kind) => {
    const own = segments.filter((segment) => segment.kind === kind);
    return `${formatCount(sum(own, ({ batches }) => batches))} ${kind}`;
  });
  const oldest = segments.flatMap(({ oldestSealedMs }) => oldestSealedMs ?? []);
  const age = oldest.length === 0 ? "" : `, the oldest ${ageOf(Math.min(...oldest), nowMs)} old`;
  const batches = formatCount(sum(segments, (segment) => segment.batches));
  return [
    path,
    usedByPid === null ? "No agent uses it." : `An agent uses it now: process ${usedByPid}.`,
    `${batches} batches (${ofKind.join(", ")}) in ${formatCount(sum(segments, ({ bytes }) => bytes))} bytes${age}.`,
    reserveBytes === 0
      ? "No room is set aside for a full disk."
      : `${formatCount(reserveBytes)} bytes are set aside for a full disk.`,
  ];
}

function columnsOf(segments: readonly SurveyedSegment[], nowMs: number): readonly TableColumn[] {
  const column = (
    header: string,
    align: TableColumn["align"],
    text: (segment: SurveyedSegment) => string,
    total = "",
  ): TableColumn => ({ header, align, cells: segments.map((one) => ({ text: text(one) })), total: { text: total } });
  const all = (of: (segment: SurveyedSegment) => number) => formatCount(sum(segments, of));
  return [
    column("SPOOL", "left", ({ spoolId }) => spoolId, "all"),
    column("KIND", "left", ({ kind }) => kind),
    column("SEQUENCES", "right", ({ firstSequence, lastSequence }) =>
      firstSequence === null ? UNKNOWN : `${firstSequence}–${lastSequence}`,
    ),
    column(
      "BATCHES",
      "right",
      ({ batches }) => formatCount(batches),
      all(({ batches }) => batches),
    ),
    column(
      "ROWS",
      "right",
      ({ rows }) => formatCount(rows),
      all(({ rows }) => rows),
    ),
    column(
      "BYTES",
      "right",
      ({ bytes }) => formatCount(bytes),
      all(({ bytes }) => bytes),
    ),
    column("OLDEST", "right", ({ oldestSealedMs }) => ageOf(oldestSealedMs, nowMs)),
    column("NEWEST", "right", ({ newestSealedMs }) => ageOf(newestSealedMs, nowMs)),
    column("SENT", "left", ({ unsent }) => (unsent ? "no" : "maybe")),
    column("DAMAGED", "right", ({ damages }) =>
      damages.length === 0 ? UNKNOWN : `${formatCount(sum(damages, ({ length }) => length))} bytes`,
    ),
  ];
}

function damageNotes(segments: readonly SurveyedSegment[]): Note[] {
  return segments.flatMap(({ kind, name, headerDamaged, unreadable, damages }) => [
    ...(unreadable ? [noteOf(`${kind}/${name}: the disk does not give it; it is left where it is`)] : []),
    ...(headerDamaged ? [noteOf(`${kind}/${name}: its header; all of it counts as sent`)] : []),
    ...damages.map(({ offset, length }) =>
      noteOf(`${kind}/${name}: ${formatCount(length)} bytes from byte ${formatCount(offset)}`),
    ),
  ]);
}

function lossNotes({ losses }: SpoolSurvey): Note[] {
  return losses.map(({ kind, spoolId, range, batches, openEnd, afterMs, beforeMs }) => {
    const which = `${kind} batches ${range.first}–${range.last} of ${spoolId} (${formatCount(batches)})`;
    const when = [afterMs, beforeMs].map((ms) =>
      ms === null ? "an unknown time" : formatInstant(new Date(ms).toISOString()),
    );
    const open = openEnd ? "; the last may never have been finished" : "";
    return noteOf(`${which}, sealed between ${when.join(" and ")}${open}`);
  });
}

function quarantineNotes({ quarantine }: SpoolSurvey): Note[] {
  const named = quarantine.slice(0, MOST_NAMED).map(({ name, bytes, atMs }) => {
    return noteOf(`${name}: ${formatCount(bytes)} bytes, since ${formatInstant(new Date(atMs).toISOString())}`);
  });
  const more = quarantine.length - named.length;
  return more === 0 ? named : [...named, noteOf(`and ${formatCount(more)} more files`)];
}

function noteOf(text: string): Note {
  return { sign: { text: "!", style: "yellow" }, text };
}

function ageOf(ms: number | null, nowMs: number): string {
  return ms === null ? UNKNOWN : formatAge(Math.max(0, Math.floor((nowMs - ms) / 1_000)));
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
