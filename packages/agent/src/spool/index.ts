/** A spool as it lies on disk, for people who must see what is in it: read, exported and repaired without an agent. */

export type { LostEntries } from "./recover-segments.ts";
export { type RepairStep, repairSpool } from "./repair-spool.ts";
export { findSpool, type SpoolPlace } from "./spool-place.ts";
export { type StoredBatch, storedBatches } from "./stored-batches.ts";
export { type QuarantinedFile, type SpoolSurvey, type SurveyedSegment, surveySpool } from "./survey-spool.ts";
