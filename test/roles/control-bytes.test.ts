/**
 * No sample passes control: bytes are counted in front of both ports while the agents of a small and of a large cluster
 * deliver for the same span. What passes ingest grows with the facts, what passes control does not.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as span } from "node:timers/promises";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAgentProcess } from "../fleet/agent-process.ts";
import { heldUsage } from "../fleet/held-usage.ts";
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts";
import { openSplitHub, type SplitHub } from "./split-hub.ts";

/** Of each measurement: several beats, reports and flushes. */
const SPAN_MS = 35_000;
const PODS = { small: 40, large: 640 } as const;
/** Clusters of one seed are one cluster. */
const SEEDS = { small: 1, large: 2 } as const;

const room = mkdtempSync(join(tmpdir(), "plimsoll-bytes-"));
let hub: SplitHub;
let control: CountingProxy;
let ingest: CountingProxy;
const simulators: Simulator[] = [];

beforeAll(async () => {
  control = await startCountingProxy(() => hub.agents.control);
  ingest = await startCountingProxy(() => hub.agents.ingest);
  const told = { control: control.address, ingest: ingest.address };
  hub = await openSplitHub({ dataDir: join(room, "hub") }, told);
  await hub.start("control");
  await hub.start("ingest");
}, 60_000);

afterAll(async () => {
  await hub?.kill("ingest");
  await hub?.kill("control");
  for (const simulator of simulators) await simulator.stop();
  control?.stop();
  ingest?.stop();
  rmSync(room, { recursive: true, force: true });
});

interface Passed {
  readonly control: number;
  readonly ingest: number;
  readonly pods: number;
}

/** An agent's whole life: it joins, delivers for the span, and is stopped. */
async function passedBy(size: keyof typeof PODS): Promise<Passed> {
  const fixed = { clusters: 1, load: "flat", sickness: false } as const;
  const simulator = await startSimulator({ ...fixed, seed: SEEDS[size], podsPerCluster: PODS[size] });
  simulators.push(simulator);
  const context = simulator.clusters[0]?.name ?? "";
  const kubeconfig = join(room, `${size}.kubeconfig`);
  writeFileSync(kubeconfig, simulator.kubeconfig());
  const { token } = await hub.client.joinToken(size);
  const before = { control: control.bytes, ingest: ingest.bytes, pods: (await held()).size };
  const where = ["--state", join(room, size), "--kubeconfig", kubeconfig, "--context", context];
  const agent = startAgentProcess(["--hub", hub.url.control, "--token", token, ...where]);
  await span(SPAN_MS);
  await agent.end("SIGTERM");
  return {
    control: control.bytes - before.control,
    ingest: ingest.bytes - before.ingest,
    pods: (await held()).size - before.pods,
  };
}

const held = () => heldUsage(join(room, "hub"), join(room, "scratch"));

test("what passes control does not grow with the facts; what passes ingest does", async () => {
  const small = await passedBy("small");
  const large = await passedBy("large");
  for (const [size, passed] of Object.entries({ small, large })) {
    console.log(`${size}: ${passed.pods} pods, ${passed.control} bytes by control, ${passed.ingest} by ingest`);
  }
  expect(small.pods).toBeGreaterThanOrEqual(PODS.small / 2);
  expect(large.pods).toBeGreaterThan(3 * small.pods);
  // Each begins with certificates, and compression likes many rows: what counts is what the pods in between add.
  const grown = { control: large.control - small.control, ingest: large.ingest - small.ingest };
  expect(grown.ingest).toBeGreaterThan(small.ingest / 4);
  expect(grown.control).toBeLessThan(grown.ingest / 5);
  expect(large.control).toBeLessThan(1.5 * small.control);
});
