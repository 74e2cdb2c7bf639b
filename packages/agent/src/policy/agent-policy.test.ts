import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type Policy, PolicySchema } from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completeConfig } from "../config/agent-config.ts";
import { TickSchedule } from "../tick-schedule.ts";
import { ingestAddress, PolicyHolder } from "./agent-policy.ts";

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "plimsoll-policy-"));
});
afterEach(() => rm(path, { recursive: true }));

const config = completeConfig({ hubUrl: "https://hub", stateDir: "state" });
const holder = () => new PolicyHolder(join(path, "policy.json"), config);
const policy = (
  revision: bigint,
  more: Partial<Pick<Policy, "sampleIntervalMs" | "usageFlushMs" | "spoolMaxBytes">> = {},
): Policy => create(PolicySchema, { revision, ...more });

describe("a policy", () => {
  test("is the agent's own until one comes, and then survives a restart", async () => {
    const first = holder();
    await first.load();
    expect(first.current).toMatchObject({ revision: 0, sampleIntervalMs: 60_000, usageFlushMs: 60_000 });
    first.apply(policy(4n, { usageFlushMs: 10_000, spoolMaxBytes: 50_000_000n }));
    await first.keep();
    const second = holder();
    await second.load();
    expect(second.current).toMatchObject({ revision: 4, usageFlushMs: 10_000, spoolMaxBytes: 50_000_000 });
    second.apply(policy(5n));
    expect(second.current).toMatchObject({ revision: 5, usageFlushMs: 60_000 });
  });

  test.each([
    ["usageFlushMs", 9_999],
    ["usageFlushMs", 300_001],
    ["sampleIntervalMs", 9_999],
    ["sampleIntervalMs", 300_001],
    ["spoolMaxBytes", 1n],
  ])("with %s of %s is refused, and the one before stays", async (name, value) => {
    const held = holder();
    held.apply(policy(4n, { usageFlushMs: 20_000 }));
    expect(() => held.apply(policy(5n, { [name]: value }))).toThrow(
      expect.objectContaining({ code: "policy_invalid" }),
    );
    expect(held.current).toMatchObject({ revision: 4, usageFlushMs: 20_000 });
  });

  test("that a crash left half written counts as none", async () => {
    await writeFile(join(path, "policy.json"), '{"revision":');
    const held = holder();
    await held.load();
    expect(held.current.revision).toBe(0);
  });
});

describe("the table of routes", () => {
  const joined = { controlAddress: "hub:1", ingestAddress: "hub:2" };
  const grpc = (name: string, address: string, copy = false) =>
    ({ name, copy, channel: { case: "grpc", value: { address } } }) as const;
  const kafka = { name: "k", channel: { case: "kafka", value: { topic: "t" } } } as const;
  const withRoutes = (...destinations: (ReturnType<typeof grpc> | typeof kafka)[]) =>
    create(PolicySchema, { revision: 1n, routes: { destinations } });

  test.each([
    ["none given: as joining said", policy(1n), "hub:2"],
    ["the first that is no copy and goes by gRPC", withRoutes(kafka, grpc("c", "c:1", true), grpc("a", "a:1")), "a:1"],
    ["without an address: where the control stream is", withRoutes(grpc("hub", "")), "hub:1"],
    ["nothing for this release: as joining said", withRoutes(kafka), "hub:2"],
  ])("%s", async (_, given, address) => {
    const held = holder();
    held.apply(given);
    expect(ingestAddress(held.current, joined)).toBe(address);
  });

  test("survives a restart, and a policy that has none", async () => {
    const first = holder();
    first.apply(withRoutes(grpc("hub", "ingest:1")));
    first.apply(policy(2n));
    await first.keep();
    const second = holder();
    await second.load();
    expect(second.current).toMatchObject({ revision: 2, routes: [{ name: "hub", address: "ingest:1" }] });
  });
});

describe("what is due", () => {
  const current = {
    revision: 1,
    sampleIntervalMs: 60_000,
    usageFlushMs: 20_000,
    usageResendMs: 300_000,
    reportIntervalMs: 30_000,
    spoolMaxBytes: 1e9,
    spoolMaxAgeSeconds: 86_400,
    routes: [],
  };

  test("is everything at first, then each after its interval", () => {
    const schedule = new TickSchedule(() => current, 0);
    expect(schedule.take(0)).toEqual({ sample: true, flush: true, report: true });
    expect(schedule.waitMs(5_000)).toBe(15_000);
    expect(schedule.take(20_000)).toEqual({ sample: false, flush: true, report: false });
    expect(schedule.take(30_000)).toEqual({ sample: false, flush: false, report: true });
    expect(schedule.take(60_000)).toEqual({ sample: true, flush: true, report: true });
  });

  test("is a report as soon as something happened, and what a new policy wants earlier", () => {
    let policyNow = current;
    const schedule = new TickSchedule(() => policyNow, 0);
    schedule.take(0);
    schedule.reportNow(1_000);
    expect(schedule.waitMs(400)).toBe(600);
    expect(schedule.take(1_000)).toEqual({ sample: false, flush: false, report: true });
    policyNow = { ...current, sampleIntervalMs: 5_000 };
    schedule.tighten(2_000);
    expect(schedule.take(7_000)).toMatchObject({ sample: true });
  });
});
