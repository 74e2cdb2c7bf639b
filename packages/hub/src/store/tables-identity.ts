import type { JsonText, Millis } from "./tables.ts";

/** Tokens of programs. The text of one is nowhere; its hash is. */
interface ServiceTokensTable {
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

/** Tables of who may come in. */
export interface IdentityTables {
  service_tokens: ServiceTokensTable;
}
