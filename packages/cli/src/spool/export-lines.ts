import { reportError } from "@plimsoll/contracts";
import { type Envelope, openEnvelope, parseEnvelope } from "@plimsoll/contracts/wire";

/** A batch to be exported: its bytes, and what is known of it besides. */
export interface ExportedBatch {
  /** What every line of it begins with: kind, spool, sequence, where it lies. */
  readonly place: Readonly<Record<string, unknown>>;
  readonly envelope: Uint8Array;
}

/** The lines of one batch, and how many rows they hold; `opened` false = one line with the error and the bytes. */
export interface BatchLines {
  readonly text: string;
  readonly rows: number;
  readonly opened: boolean;
}

/** One line for each row of a batch, with where it comes from. */
export function rowLines({ place, envelope: bytes }: ExportedBatch): BatchLines {
  return opened({ place, envelope: bytes }, (envelope) => {
    const head = { ...place, ...headOf(envelope) };
    const { rows } = openEnvelope(envelope);
    return { text: rows.map((row) => lineOf({ ...head, row })).join(""), rows: rows.length };
  });
}

/** One line for a batch, with its bytes as they were sealed. */
export function envelopeLine({ place, envelope: bytes }: ExportedBatch): BatchLines {
  return opened({ place, envelope: bytes }, (envelope) => {
    const { agentClockMs, policyRevision, replaces, codec, rawBytes, sha256, rows } = envelope;
    const facts = { agentClock: timeText(agentClockMs), policyRevision, replaces, codec, rawBytes, rows };
    const hash = Buffer.from(sha256).toString("hex");
    return { text: lineOf({ ...place, ...headOf(envelope), ...facts, sha256: hash, envelope: base64(bytes) }), rows };
  });
}

function opened(
  { place, envelope }: ExportedBatch,
  read: (envelope: Envelope) => Pick<BatchLines, "text" | "rows">,
): BatchLines {
  try {
    return { ...read(parseEnvelope(envelope)), opened: true };
  } catch (error) {
    const { code, message } = reportError(error);
    return { text: lineOf({ ...place, error: { code, message }, envelope: base64(envelope) }), rows: 0, opened: false };
  }
}

function headOf({ key, kind, sealedAtMs }: Envelope) {
  const { clusterId: cluster, incarnation, spoolId, sequence } = key;
  return { kind, cluster, incarnation, spoolId, sequence, sealedAt: timeText(sealedAtMs) };
}

/** Numbers that JSON's readers would round become texts, maps objects. */
function lineOf(value: unknown): string {
  const plain = (_: string, part: unknown): unknown => {
    if (typeof part === "bigint") return String(part);
    return part instanceof Map ? Object.fromEntries(part) : part;
  };
  return `${JSON.stringify(value, plain)}\n`;
}

function timeText(ms: number): string | null {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
