import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import type { Sealing } from "../sealing/sealing.ts";
import type { Store } from "../store/store.ts";

/** A signed place of the audit log. */
export interface AuditCheckpoint {
  /** The last row that it covers, and that row's hash. */
  readonly auditId: number;
  readonly hash: string;
  readonly atMs: number;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** Signs checkpoints. The private half never leaves the sealed store. */
export interface CheckpointKey {
  /** PEM: keep it outside of the hub, together with checkpoints, to prove the log later. */
  readonly publicKey: string;
  sign(place: Omit<AuditCheckpoint, "signature">): AuditCheckpoint;
}

const SETTING = "audit-key";
const PURPOSE = "key of audit checkpoints";
const Kept = z.object({ sealedKey: z.string(), keyId: z.string() });

/** The key of the store; the first start makes it, sealed. Throws `sealing_key_wrong`. */
export async function openCheckpointKey(store: Store, sealing: Sealing, nowMs: number): Promise<CheckpointKey> {
  const row = await store.db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst();
  if (row) {
    const { sealedKey } = Kept.parse(JSON.parse(row.value));
    const der = Buffer.from(sealing.open(Buffer.from(sealedKey, "base64"), PURPOSE));
    return keyOf(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  }
  const { privateKey } = generateKeyPairSync("ed25519");
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  const sealedKey = Buffer.from(sealing.seal(der, PURPOSE)).toString("base64");
  const value = JSON.stringify({ sealedKey, keyId: sealing.keyId } satisfies z.infer<typeof Kept>);
  await store.write((trx) =>
    trx.insertInto("settings").values({ key: SETTING, value, updated_at_ms: nowMs }).execute(),
  );
  return keyOf(privateKey);
}

function keyOf(privateKey: KeyObject): CheckpointKey {
  const publicKey = createPublicKey(privateKey).export({ format: "pem", type: "spki" }).toString();
  return {
    publicKey,
    sign: (place) => ({ ...place, signature: sign(null, messageOf(place), privateKey).toString("base64") }),
  };
}

/** Was the checkpoint signed by the owner of this public key (PEM)? A key that is none has signed nothing. */
export function isSigned(checkpoint: AuditCheckpoint, publicKey: string): boolean {
  try {
    return verify(null, messageOf(checkpoint), publicKey, Buffer.from(checkpoint.signature, "base64"));
  } catch {
    return false;
  }
}

function messageOf({ auditId, hash, atMs }: Omit<AuditCheckpoint, "signature">): Buffer {
  return Buffer.from(`plimsoll audit checkpoint\n${auditId}\n${hash}\n${atMs}\n`);
}
