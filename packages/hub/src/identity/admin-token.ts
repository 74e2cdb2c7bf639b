import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import type { Store } from "../store/store.ts";
import { type Actor, ANONYMOUS } from "./actor.ts";

/** Name of the file in the data folder that holds the admin's token, for commands on the same machine. */
export const ADMIN_TOKEN_FILE = "admin-token";

const SETTING = "admin-token-sha256";
const PREFIX = "pla1.";

/** The local admin's token. The store knows its hash only. */
export interface AdminToken {
  /** Null when the file is gone or is not this hub's: the token still works for whoever kept it. */
  readonly token: string | null;
  /** It was made just now. */
  readonly fresh: boolean;
  /** Who sends this `authorization` header. A wrong token is nobody. */
  actorOf(authorization: string | undefined): Actor;
}

/** Reads the token, or makes one at the first start. */
export async function openAdminToken(store: Store, dataDir: string, nowMs: number): Promise<AdminToken> {
  const path = join(dataDir, ADMIN_TOKEN_FILE);
  const known = await storedHash(store);
  if (known === undefined) {
    const token = `${PREFIX}${randomBytes(32).toString("base64url")}`;
    const hash = hashOf(token);
    // The file first: a hash without its token would lock everybody out.
    await writePrivateFile(path, `${token}\n`);
    await store.write((trx) =>
      trx
        .insertInto("settings")
        .values({ key: SETTING, value: JSON.stringify(hash.toString("hex")), updated_at_ms: nowMs })
        .execute(),
    );
    return withToken(token, hash, true);
  }
  const hash = Buffer.from(known, "hex");
  const kept = (await readPrivateFile(path))?.trim() ?? null;
  return withToken(kept !== null && timingSafeEqual(hashOf(kept), hash) ? kept : null, hash, false);
}

function withToken(token: string | null, hash: Buffer, fresh: boolean): AdminToken {
  return {
    token,
    fresh,
    actorOf(authorization) {
      const given = /^Bearer ([-\w.]{1,256})$/i.exec(authorization ?? "")?.[1];
      return given !== undefined && timingSafeEqual(hashOf(given), hash) ? { kind: "admin" } : ANONYMOUS;
    },
  };
}

async function storedHash(store: Store): Promise<string | undefined> {
  const row = await store.db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst();
  const value: unknown = row && JSON.parse(row.value);
  return typeof value === "string" ? value : undefined;
}

/** A token has 256 random bits, so a plain hash is as good as a slow one. */
function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
