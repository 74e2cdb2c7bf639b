import { decodeNumbers } from "./column-reader.ts";
import { encodeNumbers } from "./column-writer.ts";
import type { Decoding } from "./decoding.ts";
import { Fields } from "./fields.ts";
import { MessageWriter } from "./message-writer.ts";
import { refuse } from "./refuse.ts";
import type { TextTable, TextTableWriter } from "./text-table.ts";

type Labels = Readonly<Record<string, string>>;

/** The label sets of a batch that is being written, each once, whatever the order of its keys. */
export class LabelSetWriter {
  private readonly indices = new Map<string, number>();
  private readonly sizes: number[] = [];
  private readonly keys: number[] = [];
  private readonly values: number[] = [];
  private readonly texts: TextTableWriter;

  constructor(texts: TextTableWriter) {
    this.texts = texts;
  }

  /** The index of a label set. */
  index(labels: Labels): number {
    const pairs = Object.keys(labels)
      .sort()
      .map((key) => [this.texts.code(key), this.texts.code(labels[key] ?? "")] as const);
    const content = pairs.join();
    const known = this.indices.get(content);
    if (known !== undefined) return known;
    for (const [key, value] of pairs) {
      this.keys.push(key);
      this.values.push(value);
    }
    this.indices.set(content, this.sizes.length);
    return this.sizes.push(pairs.length) - 1;
  }

  /** Message LabelSets; undefined when there is none. */
  finish(): Uint8Array | undefined {
    if (this.sizes.length === 0) return undefined;
    return new MessageWriter()
      .number(1, this.sizes.length)
      .number(2, this.keys.length)
      .blob(3, encodeNumbers(this.sizes, "label_sets.size"))
      .blob(4, encodeNumbers(this.keys, "label_sets.key"))
      .blob(5, encodeNumbers(this.values, "label_sets.value"))
      .finish();
  }
}

/** Message LabelSets as objects by index. Throws `batch_invalid` or `batch_too_large`. */
export function readLabelSets(
  message: Uint8Array | undefined,
  texts: TextTable,
  decoding: Decoding,
): readonly Labels[] {
  if (message === undefined) return [];
  const name = "label_sets";
  const fields = new Fields(message, name);
  const most = decoding.limits.maxDictionaryEntries;
  const sets = fields.number(1, "sets", most);
  const labels = fields.number(2, "labels", most);
  const sizes = decodeNumbers(fields.blob(3, "size"), `${name}.size`, sets, labels, decoding);
  const keys = decodeNumbers(fields.blob(4, "key"), `${name}.key`, labels, texts.maxCode, decoding);
  const values = decodeNumbers(fields.blob(5, "value"), `${name}.value`, labels, texts.maxCode, decoding);
  let at = 0;
  const read = Array.from(sizes, (size) => {
    const end = at + size;
    if (end > labels) refuse(`${name}.size`, `sums to more than ${labels} labels`);
    const pairs: [string, string][] = [];
    for (; at < end; at += 1) {
      pairs.push([texts.required(keys[at], `${name}.key`), texts.required(values[at], `${name}.value`)]);
    }
    // fromEntries defines properties: a label named __proto__ stays a label.
    return Object.fromEntries(pairs);
  });
  if (at !== labels) refuse(`${name}.size`, `sums to ${at} labels, not ${labels}`);
  return read;
}
