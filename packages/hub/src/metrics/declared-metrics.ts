import type { MetricDefinition } from "@plimsoll/contracts";
import { Counter, Gauge, Histogram } from "prom-client";
import { HUB_METRICS, type HubMetricName } from "./hub-metric-table.ts";

type NamesOf<Type extends MetricDefinition["type"]> = {
  [Name in HubMetricName]: (typeof HUB_METRICS)[Name]["type"] extends Type ? Name : never;
}[HubMetricName];

/** Values of a metric with one label, by what stands in it. */
type Labelled = Readonly<Record<string, number>>;

/** Made of the table, in no registry yet: whoever measures declares, whoever serves registers. */
export function declaredCounter(name: NamesOf<"counter">): Counter {
  return new Counter(optionsOf(name));
}

/** As `declaredCounter`. */
export function declaredHistogram(name: NamesOf<"histogram">): Histogram {
  return new Histogram({ ...optionsOf(name), buckets: [...(definitionOf(name).buckets ?? [])] });
}

/** A gauge that is read when a scraper asks; null = not known now, so it is left out. */
export function readGauge(name: NamesOf<"gauge">, read: () => Promise<Reading> | Reading): Gauge {
  return new Gauge({
    ...optionsOf(name),
    async collect() {
      const reading = await read();
      this.reset();
      // A gauge without labels is 0 after a reset: what is not known must not be.
      if (reading === null) this.remove();
      else if (typeof reading === "number") this.set(reading);
      else for (const [labels, value] of labelled(name, reading)) this.set(labels, value);
    },
  });
}

/** A counter whose value is counted elsewhere, and read when a scraper asks. */
export function readCounter(name: NamesOf<"counter">, read: () => Reading): Counter {
  return new Counter({
    ...optionsOf(name),
    collect() {
      const reading = read();
      this.reset();
      if (reading === null) return;
      if (typeof reading === "number") this.inc(reading);
      else for (const [labels, value] of labelled(name, reading)) this.inc(labels, value);
    },
  });
}

/** A number; numbers by the one label; or with all their labels. */
type Reading =
  | number
  | null
  | Labelled
  | readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];

function labelled(
  name: HubMetricName,
  reading: Exclude<Reading, number | null>,
): readonly (readonly [Record<string, string>, number])[] {
  if (isList(reading)) return reading.map(({ labels, value }) => [{ ...labels }, value]);
  const [label = ""] = Object.keys(definitionOf(name).labels ?? {});
  return Object.entries(reading).map(([value, number]) => [{ [label]: value }, number]);
}

function isList(reading: Exclude<Reading, number | null>): reading is Extract<Reading, readonly unknown[]> {
  return Array.isArray(reading);
}

function optionsOf(name: HubMetricName) {
  const { help, labels = {} } = definitionOf(name);
  return { name, help, labelNames: Object.keys(labels), registers: [] };
}

function definitionOf(name: HubMetricName): MetricDefinition {
  return HUB_METRICS[name];
}
