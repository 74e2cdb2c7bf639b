import { CoverageAnswer } from "@plimsoll/contracts/rest";
import type { Batch } from "@plimsoll/contracts/wire";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Bed,
  gapRow,
  HOUR,
  HOUR_MS,
  keyOf,
  nodeRow,
  openBed,
  sampleRow,
  seal,
  usageRow,
} from "../../../../test/hub/facts.ts";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { createCosts } from "../cost/costs.ts";
import { createIngest } from "../ingest/create-ingest.ts";
import { Liveness } from "../inventory/liveness.ts";
import { silentLog } from "../log/hub-log.ts";
import { coverageEndpoints } from "./coverage-endpoints.ts";
import { type Heard, heardBy } from "./heard.ts";
import { readCoverage } from "./read-coverage.ts";

const MINUTE = 60_000;
const NOW = HOUR + 3 * HOUR_MS;
const HEARD: Heard = { isHeard: true, lastBeatAtMs: null, unknownAfterMs: 2 * MINUTE, oldestSealedMs: null };

const open: Bed[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A hub whose clusters are heard, unless `heard` says otherwise, registered at `HOUR`. */
async function bed(heard: Readonly<Record<string, Heard>> = {}) {
  const at = await openBed();
  open.push(at);
  for (const name of ["prod-eu", "prod-us"]) await register(at, name);
  const clusterOf = async () => ({ incarnation: 1, gone: false });
  const ingest = createIngest({ ...at, clusterOf, now: () => HOUR + HOUR_MS, commitEveryMs: 0 });
  const costs = createCosts({ ...at, now: () => NOW });
  const [endpoint] = coverageEndpoints({ ...at, heardOf: (id) => heard[id] ?? HEARD });
  let sequence = 0;
  return {
    ...at,
    ingest,
    async deliver(clusterId: string, ...batches: readonly Batch[]) {
      for (const batch of batches) {
        sequence += 1;
        await ingest.ingestEnvelope(seal(keyOf(sequence, { clusterId }), batch).bytes, { clusterId, name: "test" });
      }
      await costs.priceTouched();
    },
    async ask(query: Record<string, string> = {}) {
      const by = { actor: { kind: "admin" }, requestId: "r", address: null, reason: null } as never;
      const window = "2026-03-14T09:00:00Z,2026-03-14T12:00:00Z";
      const raw = { params: {}, query: { window, ...query }, body: null };
      return CoverageAnswer.parse(await endpoint?.run(raw, { by, scope: "all", nowMs: NOW }));
    },
  };
}

async function register({ store }: Bed, name: string): Promise<void> {
  const none = {
    base: "{}",
    labels: "{}",
    simulated: 0,
    session_epoch: 0,
    report_sequence: 0,
    resource_version: 1,
  } as const;
  const cluster = { id: name, name, fingerprint: name, incarnation: 1, mode: "push", phase: "active" } as const;
  const times = { created_at_ms: HOUR, updated_at_ms: HOUR };
  await store.db
    .insertInto("clusters")
    .values({ ...cluster, ...none, ...times })
    .execute();
}

const nodes: Batch = { kind: "node", rows: [nodeRow()] };
const usage: Batch = { kind: "usage", rows: [usageRow()] };
/** Windows of five minutes, from a minute of `HOUR` on. */
const samples = (from: number, to: number, windowMinutes = 5): Batch => ({
  kind: "sample",
  rows: Array.from({ length: (to - from) / windowMinutes }, (_, index) =>
    sampleRow({
      windowStartMs: HOUR + (from + index * windowMinutes) * MINUTE,
      windowMs: windowMinutes * MINUTE,
    }),
  ),
});
const gaps = (...rows: readonly Parameters<typeof gapRow>[0][]): Batch => ({ kind: "gap", rows: rows.map(gapRow) });

/** `cluster hour: covered minutes, reasons in minutes`. */
const lines = ({ items }: CoverageAnswer) =>
  items.map(({ cluster, hour, coverage }) => {
    const reasons = coverage.reasons.map(({ reason, lostMs }) => `${reason} ${lostMs / MINUTE}`);
    return [`${cluster} ${hour.slice(11, 16)}: ${coverage.coveredMs / MINUTE}`, ...reasons].join(", ");
  });

describe("the coverage that a hub answers", () => {
  it("is of each hour of each cluster, and together", async () => {
    const at = await bed();
    await at.deliver("prod-eu", nodes, usage, gaps({}));
    const answer = await at.ask();
    expect(lines(answer)).toEqual([
      "prod-eu 09:00: 50, agent_down 10",
      "prod-eu 10:00: 0, facts_missing 60",
      "prod-eu 11:00: 0, facts_missing 50, pending 10",
      "prod-us 09:00: 0, facts_missing 60",
      "prod-us 10:00: 0, facts_missing 60",
      "prod-us 11:00: 0, facts_missing 50, pending 10",
    ]);
    expect(answer.clusters.map(({ cluster, coverage }) => [cluster, coverage.fraction])).toEqual([
      ["prod-eu", 0.277777],
      ["prod-us", 0],
    ]);
    expect(answer.coverage).toMatchObject({ coveredMs: 50 * MINUTE, expectedMs: 360 * MINUTE, fraction: 0.138888 });
  });

  it("says of a silent agent's hours that it is silent, though no gap record came", async () => {
    const at = await bed({ "prod-eu": { ...HEARD, isHeard: false } });
    await at.deliver("prod-eu", nodes, usage);
    const silence = {
      type: "connectivity",
      from_state: "late",
      to_state: "offline",
      reason: "",
      at_ms: HOUR + 62 * MINUTE,
    };
    await at.store.db
      .insertInto("transitions")
      .values({ cluster_id: "prod-eu", ...silence })
      .execute();
    expect(lines(await at.ask({ cluster: "prod-eu" }))).toEqual([
      "prod-eu 09:00: 60",
      "prod-eu 10:00: 0, agent_silent 60",
      "prod-eu 11:00: 0, agent_silent 60",
    ]);
  });

  it("knows silence from the beats that it has heard, and what an agent holds from what that says", async () => {
    const at = await bed();
    await at.deliver("prod-eu", nodes, usage);
    const clock = createManualClock(HOUR + 59 * MINUTE);
    const settings = { beatMs: { push: 30_000, pull: 60_000 }, unknownAfterBeats: 4 };
    const watched = [{ id: "prod-eu", mode: "push" as const }];
    const liveness = await Liveness.open({ store: at.store, clock, log: silentLog, settings }, watched);
    const sources = { ...at, heardOf: heardBy(liveness) };
    const cluster = { id: "prod-eu", name: "prod-eu", mode: "push", isGone: false, registeredAtMs: HOUR } as const;
    const lost = async () => {
      await liveness.stored();
      const window = { startMs: HOUR + HOUR_MS, endMs: clock.now() };
      const question = {
        clusters: new Map([["prod-eu", cluster]]),
        window,
        facts: "usage",
        nowMs: clock.now(),
      } as const;
      const { lost } = (await readCoverage(sources, question)).get("prod-eu")?.total ?? {};
      return Object.fromEntries([...(lost ?? [])].map(([reason, ms]) => [reason, Math.round(ms / MINUTE)]));
    };
    liveness.heard("prod-eu");
    for (let minute = 0; minute < 31; minute += 1) clock.advance(MINUTE);
    expect(await lost()).toEqual({ agent_silent: 30 });
    liveness.heard("prod-eu", { spool: { oldestSealedMs: HOUR + 80 * MINUTE } });
    expect(await lost()).toEqual({ agent_silent: 10, pending: 20 });
    liveness.heard("prod-eu", { spool: { oldestSealedMs: null } });
    expect(await lost()).toEqual({ agent_silent: 20, pending: 10 });
    await liveness.stop();
  });

  it("has an hour without any facts in a gap that is recorded, and an open gap up to when it was told", async () => {
    const at = await bed();
    const open = { startMs: HOUR + 60 * MINUTE, endMs: null, asOfMs: HOUR + 150 * MINUTE, reason: "access_denied" };
    await at.deliver("prod-eu", nodes, usage, gaps(open));
    expect(lines(await at.ask({ cluster: "prod-eu" }))).toEqual([
      "prod-eu 09:00: 60",
      "prod-eu 10:00: 0, access_denied 60",
      "prod-eu 11:00: 0, access_denied 30, facts_missing 20, pending 10",
    ]);
  });

  it("takes what is in the quarantine away until it counts", async () => {
    const at = await bed();
    await at.deliver("prod-eu", nodes, usage);
    const sealed = seal(keyOf(90), { kind: "usage", rows: [usageRow({ podUid: "b" })] });
    const entry = {
      key: sealed.key,
      sha256: "00",
      kind: "usage",
      rows: 1,
      sealedAtMs: HOUR + 30 * MINUTE,
      receivedAtMs: HOUR + 30 * MINUTE,
      replaces: null,
    } as const;
    await at.ledger.registerQuarantined(entry);
    const hour = { cluster: "prod-eu", window: "2026-03-14T09:00:00Z,2026-03-14T10:00:00Z" };
    expect(lines(await at.ask(hour))).toEqual(["prod-eu 09:00: 55, quarantined 5"]);
    expect(lines(await at.ask({ ...hour, facts: "samples" }))).toEqual(["prod-eu 09:00: 0, facts_missing 60"]);
    await at.store.db.updateTable("ledger_batches").set({ state: "applied" }).execute();
    expect(lines(await at.ask(hour))).toEqual(["prod-eu 09:00: 60"]);
  });

  it("counts by their arrival batches of which nothing could be read", async () => {
    const at = await bed();
    await at.deliver("prod-eu", nodes, usage);
    const code = await at.ingest.ingestEnvelope(new Uint8Array([1, 2, 3]), { clusterId: "prod-eu", name: "test" });
    expect(code.kind).toBe("reject");
    const window = "2026-03-14T09:00:00Z,2026-03-14T10:00:00Z";
    expect(lines(await at.ask({ cluster: "prod-eu", window }))).toEqual(["prod-eu 09:00: 55, quarantined 5"]);
  });

  it.each([
    ["usage", ["prod-eu 09:00: 50, spool_corrupt 10"]],
    ["samples", ["prod-eu 09:00: 30, spool_full 20, spool_corrupt 10"]],
  ])("of %s lacks what takes those away", async (facts, expected) => {
    const at = await bed();
    const [ten, twenty, forty] = [HOUR + 10 * MINUTE, HOUR + 20 * MINUTE, HOUR + 40 * MINUTE] as const;
    const lost = { spoolId: "s", first: 1, last: 2 };
    const damaged = { startMs: ten, endMs: twenty, reason: "spool_corrupt", lostSequences: lost };
    const full = { startMs: twenty, endMs: forty, asOfMs: forty, reason: "spool_full", missing: "sample" };
    const ofPart = { startMs: forty, endMs: forty + 5 * MINUTE, subject: "shop" };
    await at.deliver("prod-eu", nodes, usage, samples(0, 60), gaps(damaged, full, ofPart));
    const window = "2026-03-14T09:00:00Z,2026-03-14T10:00:00Z";
    expect(lines(await at.ask({ cluster: "prod-eu", window, facts }))).toEqual(expected);
  });

  it("of samples runs up to the newest sample, whatever usage tells", async () => {
    const at = await bed({ "prod-eu": { ...HEARD, oldestSealedMs: HOUR + 50 * MINUTE } });
    await at.deliver("prod-eu", nodes, usage, samples(0, 30));
    expect(lines(await at.ask({ cluster: "prod-eu", facts: "samples" }))).toEqual([
      "prod-eu 09:00: 30, pending 20, facts_missing 10",
      "prod-eu 10:00: 0, pending 60",
      "prod-eu 11:00: 0, pending 60",
    ]);
  });

  it("of samples has the hours that a merged window reaches into, and none of before they are kept", async () => {
    const at = await bed();
    await at.deliver("prod-eu", samples(-60, 60, 120));
    const window = "2026-03-14T09:00:00Z,2026-03-14T10:00:00Z";
    expect(lines(await at.ask({ cluster: "prod-eu", facts: "samples", window }))).toEqual(["prod-eu 09:00: 60"]);
    const days = 24 * HOUR_MS;
    const cluster = { id: "prod-eu", name: "prod-eu", mode: "push", isGone: false, registeredAtMs: HOUR } as const;
    const sources = { ...at, heardOf: () => HEARD, samplesKeptMs: 2 * days };
    const question = { clusters: new Map([["prod-eu", cluster]]), facts: "samples", nowMs: HOUR + 4 * days } as const;
    const window4 = { startMs: HOUR, endMs: HOUR + 4 * days };
    const { hours } = (await readCoverage(sources, { ...question, window: window4 })).get("prod-eu") ?? {};
    expect(hours?.[0]?.hourStartMs).toBe(Date.UTC(2026, 2, 16));
  });

  it("is refused where it would be of too many hours at a time, and says how many may be asked for", async () => {
    const at = await bed();
    for (let index = 0; index < 10; index += 1) await register(at, `more-${index}`);
    const window = "2025-03-01T00:00:00Z,2026-03-14T12:00:00Z";
    const most = "at most 8333 hours at a time";
    await expect(at.ask({ window })).rejects.toMatchObject({
      code: "coverage_too_large",
      remedy: expect.stringContaining(most),
    });
    expect((await at.ask({ window, cluster: "prod-eu" })).total).toBe(3);
  });

  it("comes page by page, with the sums of all pages", async () => {
    const at = await bed();
    const first = await at.ask({ limit: "4" });
    const second = await at.ask({ limit: "4", cursor: first.next ?? "" });
    expect([first.items.length, second.items.length, second.next, first.total]).toEqual([4, 2, null, 6]);
    expect(second.coverage).toEqual(first.coverage);
  });

  it.each([
    [{ window: "soon" }, "parameter_invalid"],
    [{ cluster: "nobody" }, "cluster_unknown"],
    [{ facts: "all" }, "parameter_invalid"],
  ])("refuses %j by name", async (query, code) => {
    await expect((await bed()).ask(query)).rejects.toMatchObject({ code });
  });
});
