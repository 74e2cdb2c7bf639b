// biome-ignore lint/style/noRestrictedImports: hashing is no I/O, and no dependency does it at a tenth of the speed.
import { hash } from "node:crypto";

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}
