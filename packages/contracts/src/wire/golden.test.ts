import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEnvelope } from "./open-envelope.ts";
import { parseEnvelope } from "./parse-envelope.ts";
import { EXAMPLE_BATCHES, EXAMPLE_FACTS, EXAMPLE_KEY } from "./testing/example-rows.ts";

interface Sealed {
  readonly release: string;
  readonly kind: string;
  readonly envelope: string;
}

// Spools and Kafka topics hold what earlier releases sealed: entries of this file are added, never changed.
const file = readFileSync(join(import.meta.dirname, "testdata/sealed-envelopes.json"), "utf8");
const sealed: readonly Sealed[] = JSON.parse(file);

test.each(sealed)("a $kind batch that release $release sealed opens to the same rows", ({ kind, envelope }) => {
  const received = parseEnvelope(Buffer.from(envelope, "base64"));
  expect(received).toMatchObject({ key: EXAMPLE_KEY, ...EXAMPLE_FACTS, kind, replaces: { first: 3, last: 41 } });
  expect(openEnvelope(received)).toEqual(EXAMPLE_BATCHES.find((batch) => batch.kind === kind));
});
