import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createIngest } from "../../packages/hub/src/ingest/create-ingest.ts";
import { createSpoolLosses, type SpoolLosses } from "../../packages/hub/src/ledger/spool-losses.ts";
import { type Bed, openBed } from "../hub/facts.ts";
import { openOnDisk, readEnvelopes } from "./spool-on-disk.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 31, 8);
const FLUSHES = 72;

let path: string;
const beds: Bed[] = [];
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "plimsoll-coarsened-"));
});
afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.close();
  await rm(path, { recursive: true });
});

/** Six hours of facts as an agent without a hub has them on disk at the end. */
async function spooledWith(name: string, maxBytes: number) {
  const agent = await openOnDisk(join(path, name), maxBytes);
  for (let flush = 0; flush < FLUSHES; flush += 1) await agent.flush();
  const envelopes = await readEnvelopes(agent.spool);
  const hello = agent.spool.states().map(({ spoolId, firstSequence }) => ({
    spoolId,
    firstSequence: Number(firstSequence),
  }));
  await agent.spool.close();
  return { envelopes, hello, figures: agent.spool.figures() };
}

/** What a hub holds of usage after it was sent batches: its own ledger and warehouse. It looks for losses after each. */
async function heldOf(envelopes: readonly Envelope[], hello: Parameters<SpoolLosses["heard"]>[1]) {
  const bed = await openBed();
  beds.push(bed);
  const ingest = createIngest({
    ...bed,
    clusterOf: async () => ({ incarnation: 1, gone: false }),
    now: () => START + 11 * HOUR_MS,
    commitEveryMs: 0,
  });
  const losses = createSpoolLosses(bed.store, bed.warehouse);
  await losses.heard({ clusterId: "c-1", incarnation: 1 }, hello);
  for (const { bytes } of envelopes) {
    expect(await ingest.ingestEnvelope(bytes, { clusterId: "c-1", name: "test" })).toMatchObject({ kind: "ack" });
    await losses.settle(START + 11 * HOUR_MS);
  }
  const hours = Array.from({ length: 11 }, (_, hour) => START + hour * HOUR_MS);
  const usage = [];
  for (const hour of hours) usage.push(await bed.warehouse.usage(["c-1"], hour));
  const gaps = await bed.warehouse.gaps(["c-1"], 0, START + 12 * HOUR_MS);
  const lost = gaps.filter(({ gap }) => gap.reason === "batches_lost").length;
  return { usage, lost, batches: ingest.figures().batches };
}

test("a hub holds the same usage of a spool that was coarsened as of one that was not", async () => {
  const all = await spooledWith("all", 1e9);
  const coarse = await spooledWith("coarse", 150_000);
  process.stdout.write(
    `coarsened: ${all.envelopes.length} batches, ${all.figures.bytes} bytes to ${coarse.envelopes.length}, ${coarse.figures.bytes}\n`,
  );
  expect(coarse.figures.coarsened).toBeGreaterThan(FLUSHES / 2);
  expect(coarse.envelopes.length).toBeLessThan(all.envelopes.length / 2);
  const ofAll = await heldOf(all.envelopes, all.hello);
  const ofCoarse = await heldOf(coarse.envelopes, coarse.hello);
  expect(ofAll.usage.flat().length).toBe(FLUSHES / 12);
  expect(ofCoarse.usage).toEqual(ofAll.usage);
  expect(ofCoarse.batches).toMatchObject({ applied: coarse.envelopes.length, superseded: 0, rejected: 0 });
  // In any order: each batch has its place, and those that stand for others have theirs.
  const reversed = await heldOf(coarse.envelopes.toReversed(), coarse.hello);
  expect(reversed.usage).toEqual(ofAll.usage);
  expect([ofAll.lost, ofCoarse.lost, reversed.lost]).toEqual([0, 0, 0]);
  // One that is called lost while it waits counts when it comes.
  const wrong = coarse.hello.map(({ spoolId }) => ({ spoolId, firstSequence: 1e6 }));
  const given = await heldOf(coarse.envelopes.toReversed(), wrong);
  expect(given.usage).toEqual(ofAll.usage);
  expect(given.lost).toBeGreaterThan(0);
});
