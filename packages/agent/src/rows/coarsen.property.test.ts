import { type Envelope, type NodeRow, openEnvelope, parseEnvelope, type UsageRow } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { EXAMPLE_BATCHES } from "../../../contracts/src/wire/testing/example-rows.ts";
import { createHubClock } from "../channel/hub-clock.ts";
import { openSpool } from "../spool/disk-spool.ts";
import type { Spool } from "../spool/spool.ts";
import { memoryDisks } from "../spool/testing/memory-disks.ts";
import { readEntryHead } from "./entry-head.ts";
import { FactSpooler } from "./fact-spooler.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 31, 8);

/** One row of a flush: whose, of which hour, how far it runs; not always further than the one before it. */
interface Told {
  readonly subject: number;
  readonly hour: number;
  readonly minute: number;
  readonly amount: number;
}
const told: fc.Arbitrary<Told> = fc.record({
  subject: fc.nat({ max: 3 }),
  hour: fc.nat({ max: 2 }),
  minute: fc.constantFrom(20, 40, 60),
  amount: fc.nat({ max: 1_000_000 }),
});
const flush = fc.record({
  usage: fc.array(told, { maxLength: 3 }),
  nodes: fc.array(told, { maxLength: 2 }),
  sentSome: fc.integer({ min: 0, max: 40 }),
});

const [usageExample, nodeExample] = exampleRows();

function exampleRows(): readonly [UsageRow, NodeRow] {
  const [usage] = EXAMPLE_BATCHES.flatMap((batch) => (batch.kind === "usage" ? batch.rows : []));
  const [node] = EXAMPLE_BATCHES.flatMap((batch) => (batch.kind === "node" ? batch.rows : []));
  if (!usage || !node) throw new Error("there are examples");
  return [usage, node];
}

function usageRow({ subject, hour, minute, amount }: Told): UsageRow {
  const hourStartMs = START + hour * HOUR_MS;
  const request = BigInt(amount);
  return {
    ...usageExample,
    podUid: `pod-${subject}`,
    intervalStartMs: START,
    intervalEndMs: null,
    hourStartMs,
    asOfMs: hourStartMs + minute * 60_000,
    resources: new Map([["cpu", { request, usage: 0n, charged: request, usageCoveredMs: 0 }]]),
  };
}

function nodeRow({ subject, hour, minute, amount }: Told): NodeRow {
  const hourStartMs = START + hour * HOUR_MS;
  const times = { presentMs: amount % HOUR_MS, schedulableMs: 0, createdMs: START - 1, deletedMs: null };
  return { ...nodeExample, ...times, nodeUid: `node-${subject}`, hourStartMs, asOfMs: hourStartMs + minute * 60_000 };
}

/** What a hub holds: of each key the newest row by time, then by the place of its batch. */
class Held {
  readonly #rows = new Map<string, { readonly asOfMs: number; readonly place: number; readonly row: unknown }>();

  take(kind: string, key: string, row: { readonly asOfMs: number }, place: number): void {
    const held = this.#rows.get(`${kind} ${key}`);
    if (held && (held.asOfMs > row.asOfMs || (held.asOfMs === row.asOfMs && held.place > place))) return;
    this.#rows.set(`${kind} ${key}`, { asOfMs: row.asOfMs, place, row });
  }

  rows(): unknown {
    return [...this.#rows].map(([key, { row }]) => [key, row]).sort();
  }
}

function apply(held: Held, envelope: Envelope): void {
  const place = envelope.replaces?.last ?? envelope.key.sequence;
  const batch = openEnvelope(envelope);
  if (batch.kind === "usage") {
    for (const row of batch.rows) held.take("usage", `${row.podUid} ${row.hourStartMs}`, row, place);
  }
  if (batch.kind === "node") {
    for (const row of batch.rows) held.take("node", `${row.nodeUid} ${row.hourStartMs}`, row, place);
  }
}

function openTiny(): Promise<Spool> {
  return openSpool({
    files: memoryDisks(),
    maxBytes: () => 2_000,
    segmentBytes: 3_000,
    now: () => START,
    readHead: readEntryHead,
    keepDamage: async () => {},
  });
}

const merged = { batches: 0, out: 0 };

test("the hub holds the same of coarsened batches as of all of them, to the last field", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(flush, { minLength: 30, maxLength: 80, size: "max" }), async (flushes) => {
      const clock = createManualClock(START);
      const spool = await openTiny();
      const all: Envelope[] = [];
      const append: Spool["append"] = (kind, seal) =>
        spool.append(kind, (spoolId, sequence) => {
          const sealed = seal(spoolId, sequence);
          all.push(parseEnvelope(sealed.bytes));
          return sealed;
        });
      const watched = new Proxy(spool, {
        get: (real, name) => {
          const value: unknown = name === "append" ? append : Reflect.get(real, name, real);
          return typeof value === "function" ? value.bind(real) : value;
        },
      });
      const spooler = new FactSpooler({
        identity: { clusterId: "c-1", incarnation: 1 },
        spool: watched,
        clock,
        hubClock: createHubClock(clock),
        policyRevision: () => 1,
        log: () => {},
        count: () => {},
      });
      const arrived: Envelope[] = [];
      const reader = spool.reader();
      for (const { usage, nodes, sentSome } of flushes) {
        clock.advance(1_000);
        await spooler.spool({ usage: usage.map(usageRow), nodes: nodes.map(nodeRow), samples: [], gaps: [] });
        // Now and then the hub is there, and takes some.
        if (sentSome === 0) for (const batch of await take(reader)) arrived.push(batch);
      }
      for (let batches = await take(reader); batches.length > 0; batches = await take(reader)) arrived.push(...batches);
      merged.batches += spool.figures().coarsened;
      merged.out += arrived.filter(({ replaces }) => replaces !== null).length;
      const [ofAll, ofArrived] = [new Held(), new Held()];
      for (const envelope of all) apply(ofAll, envelope);
      for (const envelope of arrived) apply(ofArrived, envelope);
      expect(ofArrived.rows()).toEqual(ofAll.rows());
    }),
    { numRuns: 60 },
  );
  process.stdout.write(`coarsened: ${JSON.stringify(merged)}\n`);
  expect(merged.batches).toBeGreaterThan(merged.out * 10);
  expect(merged.out).toBeGreaterThan(0);
});

async function take(reader: ReturnType<Spool["reader"]>): Promise<Envelope[]> {
  const taken: Envelope[] = [];
  while (taken.length < 5) {
    const batch = await reader.next();
    if (!batch) break;
    taken.push(parseEnvelope(batch.bytes));
  }
  return taken;
}
