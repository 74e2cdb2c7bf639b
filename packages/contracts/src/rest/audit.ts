import { z } from "zod";
import { Instant } from "./common.ts";

/** One row of the audit log. */
export const AuditRecord = z.object({
  /** Place in the log: 1, 2, 3 … without holes. */
  id: z.number().int(),
  at: Instant,
  actor: z.string(),
  /** Whom the actor acted for, where it was another. */
  onBehalfOf: z.string().nullable(),
  channel: z.enum(["rest", "stream", "hub"]),
  address: z.string().nullable(),
  verb: z.string(),
  thing: z.string(),
  thingId: z.string().nullable(),
  clusterId: z.string().nullable(),
  outcome: z.enum(["allowed", "refused", "failed"]),
  /** Of the error, where it came to nothing. */
  code: z.string().nullable(),
  /** Why, in the words of whoever did it. */
  reason: z.string().nullable(),
  /** What it was and what it became, without secrets. */
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string().nullable(),
  /** Hash of the row before, and of this one over it: SHA-256, hex. */
  previousHash: z.string(),
  hash: z.string(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** `GET /api/v1/audit` */
export const AuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().optional(),
  order: z.enum(["newest", "oldest"]).default("newest"),
  actor: z.string().optional(),
  verb: z.string().optional(),
  thing: z.string().optional(),
  thingId: z.string().optional(),
  /** Name or id of a cluster; the id of one that is no more. */
  cluster: z.string().optional(),
  outcome: z.enum(["allowed", "refused", "failed"]).optional(),
  requestId: z.string().optional(),
  from: Instant.optional(),
  /** Exclusive. */
  to: Instant.optional(),
});
export const AuditList = z.object({
  items: z.array(AuditRecord),
  asOf: Instant,
  next: z.string().nullable(),
  /** Rows over all pages, after filters. */
  total: z.number().int(),
});
export type AuditList = z.infer<typeof AuditList>;

/** `GET /api/v1/audit/verify`: an empty list of faults = the log is what was written. */
export const AuditVerdict = z.object({
  rows: z.number().int(),
  /** Hash of the last row; null = the log is empty. */
  lastHash: z.string().nullable(),
  checkpoints: z.number().int(),
  faults: z.array(
    z.object({
      kind: z.enum(["changed", "missing", "unchained", "truncated", "differs", "forged"]),
      id: z.number().int(),
      detail: z.string(),
    }),
  ),
  asOf: Instant,
});
export type AuditVerdict = z.infer<typeof AuditVerdict>;

/** Signed places of the audit log, and the key to check them by. */
export const AuditCheckpoints = z.object({
  /** PEM, Ed25519. */
  publicKey: z.string(),
  items: z.array(
    z.object({ auditId: z.number().int(), hash: z.string(), atMs: z.number().int(), signature: z.string() }),
  ),
});
export type AuditCheckpoints = z.infer<typeof AuditCheckpoints>;
