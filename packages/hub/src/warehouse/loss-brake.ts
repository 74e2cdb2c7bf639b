import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import type { LiveSegment } from "../ledger/segment-rows.ts";
import { faultOf, type SegmentFiles } from "./segment-reader.ts";

/** Made by a person who knows that the files are lost for good. */
const ACCEPT_FILE = "accept-loss";
/** So few may be missing whatever their share. */
const FEW = 10;
/** Of the files that the ledger names. */
const SHARE = 0.1;

/**
 * Refuses to take for lost what rather is in another folder, or on a mount that is away: throws `segments_missing` when of the
 * files that the ledger names all (two at least), or more than ten and a tenth, are not there. A file `accept-loss` in the
 * data folder lets it pass.
 */
export async function refuseMassLoss(
  { store, disk, dataDir }: SegmentFiles,
  suspects: readonly Pick<LiveSegment, "path" | "bytes" | "sha256">[],
): Promise<void> {
  let missing = 0;
  for (const suspect of suspects) {
    if ((await faultOf(disk, dataDir, suspect, "ends"))?.fault === "missing") missing += 1;
  }
  if (missing < 2) return;
  const { total } = await store.db
    .selectFrom("segments")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  if (missing < total && missing <= Math.max(FEW, total * SHARE)) return;
  const accept = join(dataDir, ACCEPT_FILE);
  if ((await disk.probe(accept)) !== null) return;
  throw new PlimsollError("segments_missing", { folder: dataDir, missing, total, accept });
}

/** What was accepted is written down: the next loss is asked about again. */
export function forgetAcceptance({ disk, dataDir }: SegmentFiles): Promise<void> {
  return disk.remove(join(dataDir, ACCEPT_FILE));
}
