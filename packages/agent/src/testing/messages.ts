import {
  create,
  type HubMessage,
  type IngestAnswer,
  type IngestWelcome,
  IngestWelcomeSchema,
  toAck,
  type Welcome,
  WelcomeSchema,
} from "@plimsoll/contracts/wire";

/** A welcome on the control stream. */
export function welcome(more: Partial<Omit<Welcome, "$typeName" | "$unknown">> = {}): HubMessage["body"] {
  const value = { hubVersion: "0.1.0", wireMinor: 1, sessionEpoch: 1n, heartbeatMs: 30_000, fleetSize: 1, ...more };
  return { case: "welcome", value: create(WelcomeSchema, value) };
}

/** A welcome on the data stream. */
export function ingestWelcome(more: Partial<Omit<IngestWelcome, "$typeName" | "$unknown">> = {}): IngestAnswer["body"] {
  const value = { hubVersion: "0.1.0", wireMinor: 1, windowBytes: 1_000_000n, windowBatches: 8, ...more };
  return { case: "welcome", value: create(IngestWelcomeSchema, value) };
}

/** An acknowledgement of everything up to `contiguous`. */
export function ack(spoolId: string, contiguous: number): IngestAnswer["body"] {
  return { case: "ack", value: toAck({ spoolId, contiguous, ranges: [] }) };
}
