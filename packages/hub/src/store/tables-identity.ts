import type { Flag, JsonText, Millis } from "./tables.ts";

/** Tokens of programs. The text of one is nowhere; its hash is. */
export interface ServiceTokensTable {
  id: string;
  name: string;
  /** SHA-256 of the text, hex. */
  hash: string;
  /** Roles and the clusters they are about. */
  grants: JsonText;
  created_by: string;
  created_at_ms: Millis;
  expires_at_ms: Millis;
  /** To a minute; null = never used. */
  last_used_at_ms: Millis | null;
}

/** People that the hub itself knows. */
export interface UsersTable {
  id: string;
  /** Lower-case; what people sign in with. */
  name: string;
  /** Argon2id, as a PHC string. */
  password_hash: string;
  grants: JsonText;
  disabled: Flag;
  /** Wrong passwords since the last right one. */
  failed: number;
  /** No password is tried before. */
  locked_until_ms: Millis | null;
  created_at_ms: Millis;
  updated_at_ms: Millis;
}

/** Signed-in browsers and command lines. */
export interface SessionsTable {
  /** SHA-256 of the cookie's text, hex. */
  id_hash: string;
  user_id: string;
  /** SHA-256 of the token that changes must carry besides the cookie, hex. */
  csrf_hash: string;
  created_at_ms: Millis;
  last_used_at_ms: Millis;
  expires_at_ms: Millis;
  /** Where it was opened from. */
  address: string | null;
}

/** Tables of who may come in. */
export interface IdentityTables {
  service_tokens: ServiceTokensTable;
  users: UsersTable;
  sessions: SessionsTable;
}
