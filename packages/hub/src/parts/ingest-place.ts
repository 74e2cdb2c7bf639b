import { z } from "zod";
import type { Store } from "../store/store.ts";

/** What an ingest process says of itself in the store. */
const IngestPlace = z.object({
  /** `host:port` by which agents reach it. */
  address: z.string(),
  /** Of its own REST port. */
  url: z.string(),
  /** When it last said so, by its clock. */
  seenAtMs: z.number(),
});
export type IngestPlace = z.infer<typeof IngestPlace>;

const SETTING = "ingest";

/** Says where this ingest process is; to be said again while it runs. */
export async function tellIngestPlace(store: Store, place: IngestPlace): Promise<void> {
  const values = { value: JSON.stringify(place), updated_at_ms: place.seenAtMs };
  await store.db
    .insertInto("settings")
    .values({ key: SETTING, ...values })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(values))
    .execute();
}

/** Where the ingest process is, or last was; null = there has never been one. */
export async function readIngestPlace(store: Store): Promise<IngestPlace | null> {
  const row = await store.db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst();
  return row ? IngestPlace.parse(JSON.parse(row.value)) : null;
}
