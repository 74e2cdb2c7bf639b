import { type Envelope, openEnvelope, parseEnvelope } from "@plimsoll/contracts/wire";
import type { EntryHead } from "../spool/recover-segments.ts";

/** What the spool needs to know of an envelope that it finds; nothing of one that cannot be read. */
export function readEntryHead(bytes: Uint8Array): EntryHead {
  try {
    const envelope = parseEnvelope(bytes);
    const { sealedAtMs, replaces } = envelope;
    return { sealedAtMs, untilMs: replaces ? untilOf(envelope) : sealedAtMs, replaces };
  } catch {
    return { sealedAtMs: null, untilMs: null, replaces: null };
  }
}

/** A batch that stands for others is as old as the oldest of them; its samples say up to when they run. */
function untilOf(envelope: Envelope): number {
  const { sealedAtMs } = envelope;
  if (envelope.kind !== "sample") return sealedAtMs;
  const batch = openEnvelope(envelope);
  if (batch.kind !== "sample") return sealedAtMs;
  return batch.rows.reduce((most, { windowStartMs, windowMs }) => Math.max(most, windowStartMs + windowMs), sealedAtMs);
}
