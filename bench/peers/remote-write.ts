/** Remote write requests, written by hand from the published specifications 1.0 and 2.0; packed as Snappy blocks. */
import { pack } from "../../packages/contracts/src/wire/codec.ts";
import { ByteWriter } from "./byte-writer.ts";
import { type ClusterFacts, metricOf, VALUES, valuesOf } from "./facts.ts";

/** Which of the two messages. */
export type RemoteWriteVersion = "1.0" | "2.0";

interface Series {
  /** Sorted by name, as the specification asks: name, value, name, value … */
  readonly labels: readonly string[];
  /** The labels as 1.0 writes them, once for all of its samples. */
  readonly encoded: Uint8Array;
}

interface Sample {
  readonly series: Series;
  readonly value: number;
  readonly timestampMs: number;
}

/**
 * A cluster's values as requests of `perRequest` samples, in order of time: each sample is a time series of its own, as
 * senders make them of one scrape after the other. 2.0 goes without metadata, which would only make it larger.
 */
export function remoteWriteRequests(
  facts: ClusterFacts,
  perRequest: number,
  version: RemoteWriteVersion,
): readonly Uint8Array[] {
  const encode = version === "1.0" ? encodeFirst : encodeSecond;
  const requests: Uint8Array[] = [];
  let samples: Sample[] = [];
  const flush = () => {
    if (samples.length > 0) requests.push(pack(encode(samples)).payload);
    samples = [];
  };
  for (const sample of samplesOf(facts)) {
    samples.push(sample);
    if (samples.length === perRequest) flush();
  }
  flush();
  return requests;
}

function* samplesOf({ clusterId, ticks }: ClusterFacts): Generator<Sample> {
  const series = (ticks[0] ?? []).flatMap(({ subject, resource }) =>
    VALUES.map((name): Series => {
      const labels = ["__name__", metricOf(name), "cluster", clusterId, "node", subject, "resource", resource];
      return { labels, encoded: encodeLabels(labels) };
    }),
  );
  for (const rows of ticks) {
    const values = rows.flatMap((row) => valuesOf(row).map((value) => ({ value, timestampMs: row.windowStartMs })));
    for (const [index, { value, timestampMs }] of values.entries()) {
      const of = series[index];
      if (of !== undefined) yield { series: of, value, timestampMs };
    }
  }
}

function encodeLabels(labels: readonly string[]): Uint8Array {
  const encoded = new ByteWriter();
  for (let at = 0; at < labels.length; at += 2) {
    const label = new ByteWriter().text(1, labels[at] ?? "").text(2, labels[at + 1] ?? "");
    encoded.blob(1, label.bytes());
  }
  return encoded.bytes();
}

/** `prometheus.WriteRequest`: 1 timeseries { 1 labels { 1 name, 2 value }, 2 samples { 1 value, 2 timestamp } }. */
function encodeFirst(samples: readonly Sample[]): Uint8Array {
  const request = new ByteWriter();
  for (const sample of samples) {
    const series = new ByteWriter().raw(sample.series.encoded).blob(2, encodeSample(sample));
    request.blob(1, series.bytes());
  }
  return request.bytes();
}

/** `io.prometheus.write.v2.Request`: 4 symbols, 5 timeseries { 1 packed label references, 2 samples }. */
function encodeSecond(samples: readonly Sample[]): Uint8Array {
  const symbols = new Map([["", 0]]);
  const refOf = (text: string): number => {
    const known = symbols.get(text) ?? symbols.size;
    symbols.set(text, known);
    return known;
  };
  const series = samples.map((sample) => {
    const refs = new ByteWriter();
    for (const text of sample.series.labels) refs.varint(refOf(text));
    return new ByteWriter().blob(1, refs.bytes()).blob(2, encodeSample(sample)).bytes();
  });
  const request = new ByteWriter();
  for (const symbol of symbols.keys()) request.text(4, symbol);
  for (const one of series) request.blob(5, one);
  return request.bytes();
}

function encodeSample({ value, timestampMs }: Sample): Uint8Array {
  const sample = new ByteWriter();
  if (value !== 0) sample.double(1, value);
  return sample.tag(2, 0).varint(timestampMs).bytes();
}
