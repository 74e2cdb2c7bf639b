import { z } from "zod";
import { fleetAnswer, Instant } from "./common.ts";

/** `GET /api/v1/quarantine`: filters and page. */
export const QuarantineQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().optional(),
  /** Id or name of the cluster that sent it. */
  cluster: z.string().optional(),
  /** Code of the reason, as in the table of errors. */
  code: z.string().max(64).optional(),
});

/** A batch that could not be applied, without its bytes. */
export const QuarantineItem = z.object({
  id: z.string(),
  /** Who sent it, as it was authenticated; null = nobody that is known. `name` is null for one that is not registered. */
  cluster: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Its place in the agent's spool; null where the envelope could not be read that far. */
  incarnation: z.number().int().nullable(),
  spoolId: z.string().nullable(),
  sequence: z.number().int().nullable(),
  /** Why, as in the table of errors. */
  code: z.string(),
  message: z.string(),
  /** What to do about it. */
  remedy: z.string(),
  /** Channel and peer it came by. */
  source: z.string(),
  /** Size of the envelope as it came, bytes. */
  bytes: z.number().int(),
  /** Are the bytes kept? Without them it can be dropped only. */
  kept: z.boolean(),
  /** Of the envelope, hex. */
  sha256: z.string(),
  /** How often the same came. */
  times: z.number().int(),
  firstAt: Instant,
  lastAt: Instant,
  /** When it was applied after all; null = it was not. */
  replayedAt: Instant.nullable(),
});
export type QuarantineItem = z.infer<typeof QuarantineItem>;

/** What a hub holds back, newest first. */
export const QuarantineList = fleetAnswer(QuarantineItem);
export type QuarantineList = z.infer<typeof QuarantineList>;

/** Head of an envelope. */
const EnvelopeHead = z.object({
  clusterId: z.string(),
  /** Null = a kind that this release does not know. */
  kind: z.string().nullable(),
  kindNumber: z.number().int(),
  codec: z.string().nullable(),
  rows: z.number().int(),
  /** Size of the batch before compression, as the envelope says, bytes. */
  rawBytes: z.number().int(),
  sealedAt: Instant,
  policyRevision: z.number().int(),
  /** Sequences that it stands for. */
  replaces: z.object({ first: z.number().int(), last: z.number().int() }).nullable(),
});

/** One entry with what can be read of it. */
export const QuarantineView = QuarantineItem.extend({
  /** Null = the envelope cannot be read, or its bytes were not kept. */
  head: EnvelopeHead.nullable(),
  /** Its first rows as they were decoded; null = they cannot be, and `previewFault` says why. */
  preview: z.object({ rows: z.number().int(), first: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  previewFault: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type QuarantineView = z.infer<typeof QuarantineView>;

/** `POST /api/v1/quarantine/:id/replay`: what became of it. */
export const QuarantineReplay = z.object({
  id: z.string(),
  /**
   * applied: it counts now. duplicate, superseded: its facts were counted before. rejected: it stays, for `code`.
   * deregistered: its cluster is gone. retry: the hub cannot store it now.
   */
  outcome: z.enum(["applied", "duplicate", "superseded", "rejected", "deregistered", "retry"]),
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type QuarantineReplay = z.infer<typeof QuarantineReplay>;

/** `POST /api/v1/quarantine/:id/drop`: why, for the audit log and the gap record. */
export const QuarantineDropRequest = z.object({ reason: z.string().trim().min(3).max(500) });

/** The entry is gone; the gap says so for ever. */
export const QuarantineDrop = z.object({
  id: z.string(),
  /** The time whose facts are missing; null = nothing is: it was applied by a replay, or belongs to no cluster. */
  gap: z
    .object({
      cluster: z.string(),
      startAt: Instant,
      endAt: Instant,
      missing: z.string().nullable(),
      reason: z.string(),
    })
    .nullable(),
});
export type QuarantineDrop = z.infer<typeof QuarantineDrop>;
