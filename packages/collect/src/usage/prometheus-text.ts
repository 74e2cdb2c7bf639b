/** One line of a Prometheus exposition. `timestampMs` only where the line carries one. */
export interface PrometheusSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly timestampMs?: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+(-?\d+))?\s*$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/**
 * The samples of a Prometheus text exposition whose name is in `names`. Comments, other names and lines that are no
 * sample are skipped: one odd line of an exporter must not hide the others.
 */
export function* parsePrometheusText(text: string, names: ReadonlySet<string>): Generator<PrometheusSample> {
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const sample = parseLine(line);
    if (sample && names.has(sample.name)) yield sample;
  }
}

function parseLine(line: string): PrometheusSample | undefined {
  const [, name, labels, valueText = "", timestamp] = LINE.exec(line) ?? [];
  const value = parseValue(valueText);
  if (name === undefined || value === undefined) return undefined;
  return {
    name,
    labels: labels === undefined ? {} : parseLabels(labels),
    value,
    timestampMs: timestamp === undefined ? undefined : Number(timestamp),
  };
}

/** NaN and infinities carry no usage: undefined. */
function parseValue(text: string): number | undefined {
  const value = Number(text);
  return text !== "" && Number.isFinite(value) ? value : undefined;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(LABEL)) {
    if (name !== undefined && value !== undefined) labels[name] = value.replace(/\\(.)/g, unescaped);
  }
  return labels;
}

function unescaped(_: string, character: string): string {
  return character === "n" ? "\n" : character;
}
