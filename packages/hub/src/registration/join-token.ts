import { createHash, randomBytes } from "node:crypto";

/**
 * Permission to join, as text: `plj1.<secret>.<SHA-256 of the hub's CA certificate (DER), hex>`. The last part lets an agent
 * that knows nothing else of the hub check whom it talks to before it sends the secret.
 */
export interface JoinToken {
  readonly text: string;
  /** What the store keeps: SHA-256 of the secret, hex. */
  readonly hash: string;
}

const FORM = /^plj1\.([A-Za-z0-9_-]{43})\.([0-9a-f]{64})$/;

/** A new token of 256 random bits. */
export function makeJoinToken(caSha256: string): JoinToken {
  const secret = randomBytes(32).toString("base64url");
  return { text: `plj1.${secret}.${caSha256}`, hash: hashSecret(secret) };
}

/** The stored hash of a token; undefined when the text is none. */
export function joinTokenHash(text: string): string | undefined {
  const secret = FORM.exec(text.trim())?.[1];
  return secret === undefined ? undefined : hashSecret(secret);
}

/** 256 random bits: a plain hash is as good as a slow one. */
function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
