import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import type { Store } from "../store/store.ts";
import { SEGMENT_FOLDER, type SegmentDisk } from "./write-segments.ts";

/** The id that a folder of facts and its control store both keep. */
const ID_FILE = "folder-id";
const SETTING = "folder-id";

/**
 * Makes sure that folder and control store belong together: the first start gives both an id. Throws `data_dir_foreign` when
 * they have different ones, or when the folder holds facts of a store and this one has none; nothing is changed then. A folder
 * without an id takes the store's: facts that were restored come without one.
 */
export async function bindFolder(files: SegmentDisk & { readonly store: Store }, nowMs: number): Promise<void> {
  const { store, dataDir, disk } = files;
  const file = join(dataDir, ID_FILE);
  const found = (await readPrivateFile(file))?.trim();
  const known = await readId(store);
  const isForeign =
    known === undefined
      ? found !== undefined && (await disk.list(join(dataDir, SEGMENT_FOLDER))).length > 0
      : found !== undefined && found !== known;
  if (isForeign) {
    throw new PlimsollError("data_dir_foreign", {
      folder: dataDir,
      found: found ?? "",
      expected: known ?? "none yet",
      file,
    });
  }
  const id = known ?? found ?? randomUUID();
  if (known === undefined) {
    await store.write((trx) =>
      trx.insertInto("settings").values({ key: SETTING, value: id, updated_at_ms: nowMs }).execute(),
    );
  }
  if (found === undefined) await writePrivateFile(file, `${id}\n`);
}

async function readId(store: Store): Promise<string | undefined> {
  const row = await store.db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst();
  return row?.value;
}
