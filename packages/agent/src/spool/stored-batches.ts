import { join } from "node:path";
import type { BatchKind } from "@plimsoll/contracts/wire";
import { readEntryHead } from "../rows/entry-head.ts";
import { FRAME_BYTES } from "./entry-frame.ts";
import { readSegments } from "./recover-segments.ts";
import { LANES } from "./spool.ts";
import { readOnlyFolder, type SpoolPlace } from "./spool-place.ts";

/** One batch of a spool on disk. */
export interface StoredBatch {
  readonly kind: BatchKind;
  readonly spoolId: string;
  readonly sequence: number;
  readonly segment: string;
  /** Its segment proves that nothing of it was ever sent. */
  readonly unsent: boolean;
  /** The serialized envelope. */
  readonly envelope: Uint8Array;
}

/** Every intact batch of a spool that waits on disk, by kind and sequence; also of one that is in use. Changes nothing. */
export async function* storedBatches(
  place: SpoolPlace,
  kinds: readonly BatchKind[] = LANES,
): AsyncGenerator<StoredBatch> {
  for (const kind of kinds) {
    const files = readOnlyFolder(join(place.spool, kind));
    for (const { name, spoolId, unsent, entries } of await readSegments(files, readEntryHead, async () => {})) {
      const content = await files.readAll(name);
      for (const { sequence, offset, length } of entries) {
        const envelope = content.subarray(offset + FRAME_BYTES, offset + length);
        // Of a spool in use, a segment may have gone since it was looked at: what was in it has been delivered.
        if (envelope.length === length - FRAME_BYTES)
          yield { kind, spoolId, sequence, segment: name, unsent, envelope };
      }
    }
  }
}
