import type { SpoolState } from "@plimsoll/contracts/wire";
import type { HeldSpool } from "../ledger/spool-losses.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

const SPOOL_ID = /^[A-Za-z0-9][-A-Za-z0-9]{0,63}$/;

/** The spools of a hello that are told their marks: as many as the bounds allow, without what is no spool's id. */
export function toldSpools<S extends Pick<SpoolState, "spoolId">>(spools: readonly S[]): readonly S[] {
  return spools.slice(0, STREAM_BOUNDS.spools).filter(({ spoolId }) => SPOOL_ID.test(spoolId));
}

/** What an agent holds by its hello; null = more than is read of it, so that what is not in the list may be there all the same. */
export function heldSpools(
  spools: readonly Pick<SpoolState, "spoolId" | "firstSequence">[],
): readonly HeldSpool[] | null {
  if (toldSpools(spools).length < spools.length) return null;
  return spools.map(({ spoolId, firstSequence }) => ({ spoolId, firstSequence: Number(firstSequence) }));
}
