import { PlimsollError } from "@plimsoll/contracts";
import {
  decodeSampleColumns,
  type Envelope,
  openEnvelope,
  openPayload,
  type WireLimits,
} from "@plimsoll/contracts/wire";
import { type FactRows, hoursOf, rowCount } from "../warehouse/fact-batch.ts";

/** Different hours of one batch: each becomes a file. A day of spool has 24. */
const MAX_HOURS = 100;

/** The rows of an envelope, checked. Throws what `openEnvelope` throws; each is a permanent fault. */
export function openFacts(envelope: Envelope, limits: WireLimits): FactRows {
  const facts = envelope.kind === "sample" ? openSamples(envelope, limits) : openEnvelopeRows(envelope, limits);
  if (rowCount(facts) !== envelope.rows) {
    throw invalid("envelope.rows", `says ${envelope.rows}, the batch has ${rowCount(facts)}`);
  }
  const hours = hoursOf(facts).size;
  if (hours > MAX_HOURS) throw invalid("rows", `are of ${hours} different hours, more than ${MAX_HOURS}`);
  return facts;
}

/** Samples are many: they stay columns all the way into the file. */
function openSamples(envelope: Envelope, limits: WireLimits): FactRows {
  return { kind: "sample", blocks: decodeSampleColumns(openPayload(envelope, limits), limits) };
}

function openEnvelopeRows(envelope: Envelope, limits: WireLimits): FactRows {
  const batch = openEnvelope(envelope, limits);
  // Samples were opened as columns.
  if (batch.kind === "sample") throw new TypeError("a sample batch was opened as rows");
  return batch;
}

function invalid(field: string, reason: string): PlimsollError {
  return new PlimsollError("batch_invalid", { field, reason });
}
