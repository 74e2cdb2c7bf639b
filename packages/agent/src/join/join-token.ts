import { PlimsollError } from "@plimsoll/contracts";

/** Permission to join, and how to know the hub that gave it. */
export interface JoinToken {
  /** The whole token, as the hub takes it. */
  readonly text: string;
  /** SHA-256 of the hub's CA certificate (DER), hex. */
  readonly caSha256: string;
}

const FORM = /^plj1\.[A-Za-z0-9_-]{20,100}\.([0-9a-f]{64})$/;

/** Reads `plj1.<secret>.<ca-sha256>`. Throws `join_token_malformed`, which does not repeat it. */
export function parseJoinToken(text: string): JoinToken {
  const match = FORM.exec(text.trim());
  if (!match) throw new PlimsollError("join_token_malformed");
  return { text: text.trim(), caSha256: match[1] ?? "" };
}
