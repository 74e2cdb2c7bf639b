/** Bounds of one dump, in bytes. Plain files may be of any size; what is parsed or unpacked at once may not. */
export interface DumpLimits {
  /** One JSON object: an element of a list, or a list's fields without its elements. */
  readonly objectBytes: number;
  /** One YAML document, or one element of its `items`. Lower: parsed YAML takes some twenty times its size in memory. */
  readonly yamlBytes: number;
  /** Everything that is unpacked from archives and compressed files. */
  readonly unpackedBytes: number;
  /** One unpacked file. */
  readonly unpackedFileBytes: number;
}

const MIB = 1024 * 1024;

export const DUMP_LIMITS: DumpLimits = {
  objectBytes: 64 * MIB,
  yamlBytes: 16 * MIB,
  unpackedBytes: 16_384 * MIB,
  unpackedFileBytes: 8_192 * MIB,
};

/** A byte count for people: "64 MiB", "512 bytes". */
export function formatBytes(bytes: number): string {
  return bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${bytes} bytes`;
}
