import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { refuse, refuseAbove } from "./refuse.ts";

/** Fields of one message that are not repeated, at most: more is noise of a hostile sender. */
const MAX_SINGLE_FIELDS = 256;

/**
 * The fields of one protobuf message, found in one pass, nothing decoded and nothing copied. Stricter than protobuf: a
 * singular field comes once, a field has the wire type its caller asks for. Fields nobody asks for are skipped.
 */
export class Fields {
  private readonly varints = new Map<number, bigint>();
  private readonly blobs = new Map<number, Uint8Array[]>();
  private readonly name: string;

  /**
   * @param name the message's name in errors
   * @param maxEntries how many times repeated fields may come, together
   */
  constructor(bytes: Uint8Array, name: string, maxEntries = 0) {
    this.name = name;
    const most = maxEntries + MAX_SINGLE_FIELDS;
    const reader = new BinaryReader(bytes);
    for (let met = 1; reader.pos < reader.len; met += 1) {
      refuseAbove(`${name} fields`, met, most);
      this.readOne(reader);
    }
  }

  /** A varint as a number from 0 to `max`; 0 when absent. */
  number(no: number, field: string, max: number): number {
    const value = this.bigint(no, field) ?? 0n;
    if (value > BigInt(max)) refuse(`${this.name}.${field}`, `${value} is not from 0 to ${max}`);
    return Number(value);
  }

  /** A varint as an unsigned 64-bit integer; undefined when absent. */
  bigint(no: number, field: string): bigint | undefined {
    if (this.blobs.has(no)) refuse(`${this.name}.${field}`, "has the wrong wire type");
    return this.varints.get(no);
  }

  /** A text, bytes or message field that comes at most once; undefined when absent. A view, no copy. */
  blob(no: number, field: string): Uint8Array | undefined {
    const all = this.all(no, field);
    if (all.length > 1) refuse(`${this.name}.${field}`, "comes more than once");
    return all[0];
  }

  /** Every occurrence of a repeated text, bytes or message field. */
  all(no: number, field: string): readonly Uint8Array[] {
    if (this.varints.has(no)) refuse(`${this.name}.${field}`, "has the wrong wire type");
    return this.blobs.get(no) ?? [];
  }

  private readOne(reader: BinaryReader): void {
    try {
      const [no, type] = reader.tag();
      if (type === WireType.LengthDelimited) {
        const blob = reader.bytes();
        const list = this.blobs.get(no);
        if (list) list.push(blob);
        else this.blobs.set(no, [blob]);
      } else if (type === WireType.Varint) {
        const again = this.varints.has(no);
        this.varints.set(no, BigInt.asUintN(64, BigInt(reader.uint64())));
        if (again) refuse(`${this.name} field ${no}`, "comes more than once");
      } else reader.skip(type, no, 1);
    } catch (cause) {
      // The reader throws RangeError and Error on truncated and malformed input; both mean the same to the sender.
      refuse(this.name, `cannot be read as protobuf (${cause instanceof Error ? cause.message : String(cause)})`);
    }
  }
}
