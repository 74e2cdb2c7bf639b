import type { SpoolSurvey, SurveyedSegment } from "@plimsoll/agent/spool";
import { expect, test } from "vitest";
import { surveyText } from "./survey-text.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const SPOOL = "019c1311-ce60-74dc-85dc-0d4b1ef1dd44";

const segment = (change: Partial<SurveyedSegment>): SurveyedSegment => ({
  kind: "usage",
  name: `${SPOOL}.0000000000000001.seg`,
  spoolId: SPOOL,
  bytes: 4_194_311,
  unsent: false,
  headerDamaged: false,
  unreadable: false,
  batches: 312,
  rows: 31_200,
  firstSequence: 1,
  lastSequence: 312,
  oldestSealedMs: NOW - 86_400_000 * 3,
  newestSealedMs: NOW - 7_200_000,
  damages: [],
  ...change,
});

const healthy: SpoolSurvey = {
  path: "/var/lib/plimsoll-agent/spool",
  usedByPid: 4_711,
  reserveBytes: 1_048_576,
  segments: [
    segment({}),
    segment({ unsent: true, firstSequence: 313, lastSequence: 340, batches: 28, rows: 2_800, bytes: 301_224 }),
  ],
  losses: [],
  quarantine: [],
};

const damaged: SpoolSurvey = {
  ...healthy,
  usedByPid: null,
  reserveBytes: 0,
  segments: [
    segment({ headerDamaged: true, damages: [{ offset: 8_192, length: 4_096 }] }),
    segment({ kind: "node", unreadable: true, bytes: 0, batches: 0, rows: 0 }),
    segment({
      kind: "gap",
      ...{ batches: 0, rows: 0, bytes: 31, firstSequence: null, lastSequence: null },
      ...{ oldestSealedMs: null, newestSealedMs: null, damages: [{ offset: 8, length: 23 }] },
    }),
  ],
  losses: [
    {
      kind: "usage",
      spoolId: SPOOL,
      range: { first: 3, last: 5 },
      ...{ batches: 3, bytes: 4_096, openEnd: false, afterMs: NOW - 10_800_000, beforeMs: NOW - 7_200_000 },
    },
    {
      kind: "gap",
      spoolId: SPOOL,
      range: { first: 1, last: 1 },
      ...{ batches: 1, bytes: 23, openEnd: true, afterMs: null, beforeMs: null },
    },
  ],
  quarantine: Array.from({ length: 22 }, (_, index) => ({
    name: `${SPOOL}-${index + 1}.batch_invalid.envelope`,
    bytes: 900,
    atMs: NOW - 60_000,
  })),
};

const empty: SpoolSurvey = { ...healthy, usedByPid: null, segments: [] };

test.each<[string, SpoolSurvey]>([
  ["healthy", healthy],
  ["damaged", damaged],
  ["empty", empty],
])("a %s spool is the golden text", async (name, survey) => {
  const text = surveyText(survey, { width: 120, colours: false, wide: false }, NOW);
  await expect(text).toMatchFileSnapshot(`testdata/survey-${name}.txt`);
});
