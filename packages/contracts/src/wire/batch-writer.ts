import { encodeNumbers } from "./column-writer.ts";
import { IdentifierTableWriter } from "./identifier-table.ts";
import { MessageWriter } from "./message-writer.ts";
import { TextTableWriter } from "./text-table.ts";

/** A batch message that is being written: 1 rows, 2 dictionary, 3 identifiers, then what its kind adds. */
export class BatchWriter<R> {
  readonly rows: readonly R[];
  readonly texts = new TextTableWriter();
  readonly identifiers = new IdentifierTableWriter();
  readonly body = new MessageWriter();
  private readonly name: string;

  constructor(rows: readonly R[], name: string) {
    this.rows = rows;
    this.name = name;
  }

  /** Writes column `no`: one whole number per row. Throws `batch_invalid` naming `field`. */
  column(no: number, field: string, cellOf: (row: R) => number): this {
    this.body.blob(no, encodeNumbers(this.rows.map(cellOf), `${this.name}.${field}`));
    return this;
  }

  /** The message. The tables are complete only now, yet stand first: parts of one message may simply be concatenated. */
  finish(): Uint8Array {
    const head = new MessageWriter().number(1, this.rows.length);
    this.texts.write(head.writer, 2);
    this.identifiers.write(head.writer, 3);
    return Buffer.concat([head.finish(), this.body.finish()]);
  }
}
