/**
 * One metric of `/metrics`, as it is declared: what the process writes, what the reference lists and what alert rules may name
 * is made of it. Names have the prefix `plimsoll_`, base units, and `_total` where they count.
 */
export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  /** What it is, without an end mark. */
  readonly help: string;
  /** What stands in each label; the values are few and known. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
}
