import { decodeNumbers } from "./column-reader.ts";
import { encodeNumbers } from "./column-writer.ts";
import { type Decoding, word } from "./decoding.ts";
import { Fields } from "./fields.ts";
import { LabelSetWriter } from "./label-sets.ts";
import { MessageWriter } from "./message-writer.ts";
import type { TextTable, TextTableWriter } from "./text-table.ts";
import { type Attribution, LABEL_SOURCES } from "./usage-row.ts";

/** Field numbers of the text columns of message Attributions. */
const TEXT_COLUMNS = [
  ["namespace", 2],
  ["workloadType", 3],
  ["workloadName", 4],
  ["costCenter", 5],
  ["env", 6],
  ["ownerTeam", 7],
] as const;

/** The attributions of a usage batch that is being written, each once. */
export class AttributionTableWriter {
  private readonly labelSets: LabelSetWriter;
  private readonly indices = new Map<string, number>();
  private readonly known = new Map<Attribution, number>();
  private readonly rows: (readonly number[])[] = [];
  private readonly texts: TextTableWriter;

  constructor(texts: TextTableWriter) {
    this.texts = texts;
    this.labelSets = new LabelSetWriter(texts);
  }

  /** The index of an attribution, by its content. */
  index(attribution: Attribution): number {
    const known = this.known.get(attribution);
    if (known !== undefined) return known;
    const cells = [
      ...TEXT_COLUMNS.map(([name]) => this.texts.code(attribution[name])),
      LABEL_SOURCES.indexOf(attribution.labelSource),
      this.labelSets.index(attribution.labels),
    ];
    const key = cells.join();
    const index = this.indices.get(key) ?? this.rows.push(cells) - 1;
    this.indices.set(key, index);
    this.known.set(attribution, index);
    return index;
  }

  /** Writes the label sets and the table as message fields of a usage batch. */
  write(batch: MessageWriter, labelSetsNo: number, attributionsNo: number): void {
    const table = new MessageWriter().number(1, this.rows.length);
    const column = (index: number): number[] => this.rows.map((cells) => cells[index] ?? 0);
    for (let index = 0; index < TEXT_COLUMNS.length + 2; index += 1) {
      table.blob(index + 2, encodeNumbers(column(index), "usage.attributions"));
    }
    batch.blob(labelSetsNo, this.labelSets.finish());
    if (this.rows.length > 0) batch.blob(attributionsNo, table.finish());
  }
}

/** Message Attributions as objects by index, which the rows share. Throws `batch_invalid` or `batch_too_large`. */
export function readAttributions(
  message: Uint8Array | undefined,
  labelSets: readonly Readonly<Record<string, string>>[],
  texts: TextTable,
  decoding: Decoding,
): readonly Attribution[] {
  if (message === undefined) return [];
  const name = "usage.attributions";
  const table = new Fields(message, name);
  const rows = table.number(1, "rows", decoding.limits.maxDictionaryEntries);
  const [namespace, workloadType, workloadName, costCenter, env, ownerTeam] = TEXT_COLUMNS.map(([field, no]) =>
    decodeNumbers(table.blob(no, field), `${name}.${field}`, rows, texts.maxCode, decoding),
  );
  const sources = decodeNumbers(table.blob(8, "label_source"), `${name}.label_source`, rows, 0xff, decoding);
  const sets = decodeNumbers(table.blob(9, "label_set"), `${name}.label_set`, rows, labelSets.length - 1, decoding);
  return Array.from({ length: rows }, (_, row) => ({
    namespace: texts.required(namespace?.[row], `${name}.namespace`),
    workloadType: texts.required(workloadType?.[row], `${name}.workload_type`),
    workloadName: texts.required(workloadName?.[row], `${name}.workload_name`),
    costCenter: texts.optional(costCenter?.[row]),
    env: texts.optional(env?.[row]),
    ownerTeam: texts.optional(ownerTeam?.[row]),
    labelSource: word(LABEL_SOURCES, sources[row] ?? 0, `${name}.label_source`),
    labels: labelSets[sets[row] ?? 0] ?? {},
  }));
}
