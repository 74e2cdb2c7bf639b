import { create } from "@bufbuild/protobuf";
import { type Ack, AckSchema } from "../gen/plimsoll/v1/ingest_pb.ts";
import type { SequenceRange } from "./envelope.ts";
import { refuseMessage, toNumber } from "./message-values.ts";

/** What is durable of one spool: every sequence up to `contiguous`, and those of `ranges`, which lie above it. */
export interface SpoolMark {
  readonly spoolId: string;
  /** 0 = none yet. */
  readonly contiguous: number;
  /** Ascending, apart by at least one. */
  readonly ranges: readonly SequenceRange[];
}

/** A mark as the message that acknowledges it. `clusterId` only on a relay's stream. */
export function toAck(mark: SpoolMark, clusterId = ""): Ack {
  return create(AckSchema, {
    spoolId: mark.spoolId,
    contiguous: BigInt(mark.contiguous),
    ranges: mark.ranges.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last) })),
    clusterId,
  });
}

/** The mark of an acknowledgement. Throws `message_invalid` when its ranges do not ascend above the contiguous part. */
export function fromAck(ack: Ack): SpoolMark {
  const contiguous = toNumber(ack.contiguous, "ack.contiguous");
  let below = contiguous + 1;
  const ranges = ack.ranges.map((range) => {
    const first = toNumber(range.first, "ack.ranges");
    const last = toNumber(range.last, "ack.ranges");
    if (first <= below || last < first) refuseMessage("ack.ranges", `${first} to ${last} does not lie above ${below}`);
    below = last + 1;
    return { first, last };
  });
  return { spoolId: ack.spoolId, contiguous, ranges };
}
