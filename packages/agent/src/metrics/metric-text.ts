import type { MetricDefinition } from "@plimsoll/contracts";
import type { DurationFigures } from "./durations.ts";

/** The content type of what it writes. */
export const METRIC_TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One value of a counter or gauge. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values of metrics by name: a number, values by label, or times; null = not known now, so it is left out. */
export type MetricValues<Name extends string> = Readonly<
  Record<Name, number | null | readonly Sample[] | readonly DurationFigures[]>
>;

/**
 * Metrics in Prometheus' text format. A library for this would take 20 MB of an agent's memory (prom-client 15, measured), a
 * sixth of what it may use.
 */
export function metricText<Name extends string>(
  table: Readonly<Record<Name, MetricDefinition>>,
  values: MetricValues<Name>,
): string {
  const blocks = Object.entries<MetricDefinition>(table).map(([name, definition]) => {
    const lines = linesOf(name, definition, valuesOf(values, name));
    const head = `# HELP ${name} ${definition.help.replaceAll("\\", "\\\\")}\n# TYPE ${name} ${definition.type}\n`;
    return lines.length === 0 ? "" : head + lines.join("");
  });
  return blocks.join("");
}

function valuesOf(values: Readonly<Record<string, MetricValues<string>[string]>>, name: string) {
  return values[name] ?? null;
}

function linesOf(
  name: string,
  { buckets = [] }: MetricDefinition,
  value: MetricValues<string>[string],
): readonly string[] {
  if (value === null) return [];
  if (typeof value === "number") return [line(name, {}, value)];
  return value.flatMap((one) => ("value" in one ? [line(name, one.labels, one.value)] : histogram(name, buckets, one)));
}

function histogram(
  name: string,
  bounds: readonly number[],
  { labels, counts, count, sumSeconds }: DurationFigures,
): readonly string[] {
  return [
    ...bounds.map((le, at) => line(`${name}_bucket`, { ...labels, le: String(le) }, counts[at] ?? 0)),
    line(`${name}_bucket`, { ...labels, le: "+Inf" }, count),
    line(`${name}_sum`, labels, sumSeconds),
    line(`${name}_count`, labels, count),
  ];
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
