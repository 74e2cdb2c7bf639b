import { isUtf8 } from "node:buffer";
import { type Bytes, type Peeked, peek } from "./byte-stream.ts";

/** How much is looked at to tell JSON, YAML, other text and binary content apart. */
const SNIFF_BYTES = 64 * 1024;

/** Stands before each value of a JSON text sequence. */
const RECORD_SEPARATOR = "\u001e";

type TextFormat = "empty" | "json" | "yaml" | "text" | "binary";

/** A file's content as UTF-8 without a byte order mark. */
export interface DecodedText {
  readonly format: TextFormat;
  /** Its beginning, for looking at. */
  readonly head: string;
  readonly bytes: Bytes;
  discard(): Promise<void>;
}

/**
 * Recognises what a stream holds and decodes it: UTF-8 with or without a mark, UTF-16 as PowerShell's `>` writes it (with or
 * without a mark). Bytes that are no UTF-8 stay as they are: whoever parses an object says so.
 */
export async function decodeText(raw: Bytes): Promise<DecodedText> {
  const peeked = await peek(raw, SNIFF_BYTES);
  const encoding = utf16(peeked.head);
  if (encoding === undefined) return describe(peeked, withoutMark(peeked));
  const decoded = await peek(fromUtf16(peeked.all, encoding), SNIFF_BYTES);
  return describe(decoded, decoded.all);
}

function describe(peeked: Peeked, bytes: Bytes): DecodedText {
  const sample = peeked.head.subarray(hasMark(peeked.head) ? 3 : 0, SNIFF_BYTES);
  const head = Buffer.from(sample).toString("utf8");
  return { format: formatOf(head, sample), head, bytes, discard: peeked.discard };
}

function formatOf(head: string, sample: Uint8Array): TextFormat {
  // So many blanks and then something: the splitter will tell.
  if (head.trim() === "") return sample.length < SNIFF_BYTES ? "empty" : "json";
  // A sample may end inside a character: only its first part is asked.
  const looksBinary =
    sample.includes(0) || (head.includes("�") && !isUtf8(sample.subarray(0, 4096)) && mostlyOdd(head));
  if (looksBinary) return "binary";
  if (/^[{[]/.test(head.replaceAll(RECORD_SEPARATOR, "").trimStart())) return "json";
  const yaml = /^(- )?(apiVersion|kind|items|metadata|serverVersion|clientVersion|gitVersion):(\s|$)/m;
  return yaml.test(head) ? "yaml" : "text";
}

/** More than a tenth of the characters cannot be decoded: no text in any encoding that is read. */
function mostlyOdd(head: string): boolean {
  const part = head.slice(0, 4096);
  return part.split("�").length > part.length / 10;
}

function hasMark(head: Uint8Array): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

async function* withoutMark(peeked: Peeked): Bytes {
  let skip = hasMark(peeked.head) ? 3 : 0;
  for await (const piece of peeked.all) {
    const from = Math.min(skip, piece.length);
    skip -= from;
    if (from < piece.length) yield from === 0 ? piece : piece.subarray(from);
  }
}

function utf16(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (b === 0 && a !== undefined && a !== 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== undefined && b !== 0)) return "utf-16be";
  return undefined;
}

async function* fromUtf16(bytes: Bytes, encoding: string): Bytes {
  const decoder = new TextDecoder(encoding);
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}
