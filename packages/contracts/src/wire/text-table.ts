import type { BinaryWriter } from "@bufbuild/protobuf/wire";
import { WireType } from "@bufbuild/protobuf/wire";
import type { Decoding } from "./decoding.ts";
import type { Fields } from "./fields.ts";
import { refuse, refuseAbove } from "./refuse.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The dictionary of a batch that is being written: each text once. */
export class TextTableWriter {
  private readonly codes = new Map<string, number>();

  /** What a `…_text` column holds: 0 for null, else 1 + the index. */
  code(text: string | null): number {
    if (text === null) return 0;
    const known = this.codes.get(text);
    if (known !== undefined) return known;
    const code = this.codes.size + 1;
    this.codes.set(text, code);
    return code;
  }

  /** Writes the texts as repeated string field `no`. Lone surrogates, which UTF-8 cannot carry, become U+FFFD. */
  write(writer: BinaryWriter, no: number): void {
    for (const text of this.codes.keys()) writer.tag(no, WireType.LengthDelimited).string(text.toWellFormed());
  }
}

/** The dictionary of a batch that is being read. */
export class TextTable {
  private readonly texts: readonly string[];

  /** Every text, by its code less one. */
  get all(): readonly string[] {
    return this.texts;
  }

  /** Reads repeated string field `no`; sizes are checked before a text is made. */
  constructor(fields: Fields, no: number, field: string, decoding: Decoding) {
    this.texts = readTexts(fields.all(no, field), field, decoding);
  }

  /** The greatest code that a `…_text` column may hold. */
  get maxCode(): number {
    return this.texts.length;
  }

  /** The text of a code; null for 0. */
  optional(code: number | undefined): string | null {
    return code ? (this.texts[code - 1] ?? null) : null;
  }

  /** The text of a code that may not be 0. */
  required(code: number | undefined, field: string): string {
    return this.optional(code) ?? refuse(field, "is absent");
  }
}

/** UTF-8 blobs as texts. Throws `batch_too_large` by count or length, `batch_invalid` when one is no UTF-8. */
export function readTexts(blobs: readonly Uint8Array[], field: string, decoding: Decoding): readonly string[] {
  const { maxDictionaryEntries, maxTextBytes } = decoding.limits;
  refuseAbove(`${field} entries`, blobs.length, maxDictionaryEntries);
  return blobs.map((blob) => {
    refuseAbove(`${field} text bytes`, blob.length, maxTextBytes);
    return readText(blob, field);
  });
}

function readText(blob: Uint8Array, field: string): string {
  try {
    return UTF8.decode(blob);
  } catch {
    return refuse(field, "is not UTF-8");
  }
}
