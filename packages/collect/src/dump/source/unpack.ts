import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { PlimsollError } from "@plimsoll/contracts";
import { type DumpLimits, formatBytes } from "../dump-limits.ts";
import type { Bytes } from "./byte-stream.ts";

/** Counts what one dump unpacks, over all its archives. */
export class UnpackBudget {
  readonly #dump: string;
  readonly #limits: DumpLimits;
  #unpacked = 0;

  constructor(dump: string, limits: DumpLimits) {
    this.#dump = dump;
    this.#limits = limits;
  }

  /** `bytes`, until a limit is passed: then rejects with dump_too_large. Stops bombs; paths are never written to disk. */
  async *bound(bytes: Bytes, path: string): Bytes {
    let size = 0;
    for await (const piece of bytes) {
      size += piece.length;
      this.#unpacked += piece.length;
      if (size > this.#limits.unpackedFileBytes)
        throw tooLarge(path, "the unpacked file", this.#limits.unpackedFileBytes);
      if (this.#unpacked > this.#limits.unpackedBytes) {
        throw tooLarge(this.#dump, "all that the dump unpacks to", this.#limits.unpackedBytes);
      }
      yield piece;
    }
  }
}

/** The content of a gzip stream. Rejects with dump_truncated or dump_syntax when it is cut or damaged. */
export async function* gunzip(bytes: Bytes, path: string): Bytes {
  const source = Readable.from(bytes);
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  source.on("error", (error) => unpacked.destroy(error));
  try {
    yield* source.pipe(unpacked);
  } catch (error) {
    throw unpackError(error, path, "gzip");
  } finally {
    source.destroy();
  }
}

/** An unpacking library's error as one of ours; ours pass through. */
export function unpackError(error: unknown, path: string, format: string): unknown {
  if (!(error instanceof Error) || error instanceof PlimsollError || error.name === "AbortError") return error;
  if (/unexpected end|truncated|end of central directory/i.test(error.message)) {
    return new PlimsollError("dump_truncated", { path, where: `its ${format} data` }, { cause: error });
  }
  const fields = { path, where: `its ${format} data`, reason: error.message };
  return new PlimsollError("dump_syntax", fields, { cause: error });
}

function tooLarge(path: string, what: string, limit: number): PlimsollError {
  return new PlimsollError("dump_too_large", { path, what, limit: formatBytes(limit) });
}
