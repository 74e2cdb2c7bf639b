import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { readPrivateFile, writePrivateFile } from "../config/private-file.ts";

/** Name of the key's file in the data folder. */
export const SEALING_KEY_FILE = "sealing-key";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of what is sealed; another form gets another one. */
const FORM = 1;

/** The one way for secrets into the store: what is sealed is of no use without the key, and cannot be changed unseen. */
export interface Sealing {
  /** Says which key it is, without giving it away. */
  readonly keyId: string;
  /** Seals bytes for a purpose (`kubeconfig of 0198…`), which must be said again to open them. */
  seal(secret: Uint8Array, purpose: string): Uint8Array;
  /** Throws `sealing_key_wrong` when the key, the purpose or the bytes are not those of the sealing. */
  open(sealed: Uint8Array, purpose: string): Uint8Array;
}

/** AES-256-GCM with a key of 32 bytes; a random nonce each. Throws `hub_config_invalid` for another length. */
export function createSealing(key: Uint8Array): Sealing {
  if (key.length !== KEY_BYTES) {
    throw new PlimsollError("hub_config_invalid", {
      reasons: `the sealing key has ${key.length} bytes, not ${KEY_BYTES}`,
    });
  }
  const keyId = createHash("sha256").update("plimsoll key id").update(key).digest("hex").slice(0, 16);
  return {
    keyId,
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([Buffer.of(FORM), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, purpose) {
      const wrong = (cause?: unknown) => new PlimsollError("sealing_key_wrong", { key: keyId }, { cause });
      if (sealed[0] !== FORM || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw wrong();
      const tagAt = 1 + NONCE_BYTES;
      const bodyAt = tagAt + TAG_BYTES;
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, tagAt), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(tagAt, bodyAt));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()]);
      } catch (cause) {
        throw wrong(cause);
      }
    },
  };
}

/** The sealing of a hub: with the key given (base64), else with that of the data folder, which the first start makes. */
export async function openSealing(dataDir: string, given: string | null): Promise<Sealing> {
  if (given !== null) return createSealing(Buffer.from(given, "base64"));
  const path = join(dataDir, SEALING_KEY_FILE);
  const kept = await readPrivateFile(path);
  if (kept !== undefined) return createSealing(Buffer.from(kept.trim(), "base64"));
  const key = randomBytes(KEY_BYTES);
  await writePrivateFile(path, `${key.toString("base64")}\n`);
  return createSealing(key);
}
