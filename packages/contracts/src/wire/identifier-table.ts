import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Decoding } from "./decoding.ts";
import { Fields } from "./fields.ts";
import { refuse, refuseAbove } from "./refuse.ts";
import { readTexts } from "./text-table.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_BYTES = 16;
const UUID_DIGITS = 32;

/** The identifiers of a batch that is being written: UUIDs in 16 bytes instead of 36, others as text, each once. */
export class IdentifierTableWriter {
  private readonly uuids = new Map<string, number>();
  private readonly others = new Map<string, number>();

  /** Books an identifier; its index is known only when all are booked. */
  add(id: string): void {
    if (this.uuids.has(id) || this.others.has(id)) return;
    const table = UUID.test(id) ? this.uuids : this.others;
    table.set(id, table.size);
  }

  /** The index of a booked identifier: UUIDs first, then the others. */
  index(id: string): number {
    const other = this.others.get(id);
    return (
      this.uuids.get(id) ?? (other === undefined ? refuse("identifiers", `${id} is missing`) : this.uuids.size + other)
    );
  }

  /** Writes the table as message field `no`. */
  write(writer: BinaryWriter, no: number): void {
    if (this.uuids.size + this.others.size === 0) return;
    const table = new BinaryWriter();
    const digits = [...this.uuids.keys()].join("").replaceAll("-", "");
    if (digits !== "") table.tag(1, WireType.LengthDelimited).bytes(Buffer.from(digits, "hex"));
    for (const id of this.others.keys()) table.tag(2, WireType.LengthDelimited).string(id.toWellFormed());
    writer.tag(no, WireType.LengthDelimited).bytes(table.finish());
  }
}

/** The identifiers of message field `no` by index. Throws `batch_too_large` or `batch_invalid`. */
export function readIdentifiers(fields: Fields, no: number, decoding: Decoding): readonly string[] {
  const blob = fields.blob(no, "identifiers");
  if (blob === undefined) return [];
  const table = new Fields(blob, "identifiers", decoding.limits.maxDictionaryEntries);
  const uuids = table.blob(1, "uuids") ?? new Uint8Array();
  const others = table.all(2, "others");
  if (uuids.length % UUID_BYTES !== 0)
    refuse("identifiers.uuids", `${uuids.length} bytes are no whole number of UUIDs`);
  const count = uuids.length / UUID_BYTES + others.length;
  refuseAbove("identifiers", count, decoding.limits.maxDictionaryEntries);
  return [...readUuids(uuids), ...readTexts(others, "identifiers.others", decoding)];
}

function readUuids(bytes: Uint8Array): string[] {
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
  const ids: string[] = [];
  for (let at = 0; at < digits.length; at += UUID_DIGITS) {
    const id = digits.slice(at, at + UUID_DIGITS);
    ids.push(`${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`);
  }
  return ids;
}
