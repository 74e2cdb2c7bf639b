import { findSpool, type SpoolSurvey, surveySpool } from "@plimsoll/agent/spool";
import { EXIT } from "../exit-code.ts";
import type { CommandContext } from "../program.ts";
import { readOrRefuse } from "./read-or-refuse.ts";
import type { SpoolShowOptions } from "./spool-command.ts";
import { surveyText } from "./survey-text.ts";

/** Shows a spool. Gives the exit code: 3 when something is damaged, lost or in quarantine. */
export async function inspectSpool(
  path: string,
  { format }: SpoolShowOptions,
  { terminal: { out } }: CommandContext,
  nowMs: number,
): Promise<number> {
  const survey = await readOrRefuse(path, async () => surveySpool(await findSpool(path)));
  const place = { width: out.columns, colours: out.colours, wide: false };
  out.write(
    format === "json" ? `${JSON.stringify(surveyJson(survey, nowMs), null, 2)}\n` : surveyText(survey, place, nowMs),
  );
  return hasFindings(survey) ? EXIT.findings : EXIT.ok;
}

function hasFindings({ segments, losses, quarantine }: SpoolSurvey): boolean {
  const isDamaged = segments.some(({ damages, headerDamaged }) => damages.length > 0 || headerDamaged);
  return isDamaged || losses.length > 0 || quarantine.length > 0;
}

/** The same for tools: times as RFC 3339, ages left to the reader. */
function surveyJson({ segments, losses, quarantine, ...survey }: SpoolSurvey, nowMs: number) {
  return {
    ...survey,
    asOf: timeText(nowMs),
    segments: segments.map(({ oldestSealedMs, newestSealedMs, ...segment }) => ({
      ...segment,
      oldestSealedAt: timeText(oldestSealedMs),
      newestSealedAt: timeText(newestSealedMs),
    })),
    losses: losses.map(({ range, afterMs, beforeMs, ...lost }) => ({
      ...lost,
      firstSequence: range.first,
      lastSequence: range.last,
      sealedAfter: timeText(afterMs),
      sealedBefore: timeText(beforeMs),
    })),
    quarantine: quarantine.map(({ atMs, ...file }) => ({ ...file, at: timeText(atMs) })),
  };
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
