import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** Writes message fields by number; what is 0 or undefined is left out, as proto3 does. */
export class MessageWriter {
  readonly writer = new BinaryWriter();

  /** A varint field. */
  number(no: number, value: number): this {
    if (value !== 0) this.writer.tag(no, WireType.Varint).uint32(value);
    return this;
  }

  /** A bytes or message field. */
  blob(no: number, bytes: Uint8Array | undefined): this {
    if (bytes !== undefined) this.writer.tag(no, WireType.LengthDelimited).bytes(bytes);
    return this;
  }

  finish(): Uint8Array {
    return this.writer.finish();
  }
}
