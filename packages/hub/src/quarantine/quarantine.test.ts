import {
  CoverageAnswer,
  QuarantineDrop,
  type QuarantineItem,
  QuarantineList,
  QuarantineReplay,
  QuarantineView,
  ServiceTokenAnswer,
} from "@plimsoll/contracts/rest";
import { type Batch, type BatchKey, sealBatch } from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRow, usageRow } from "../../../../test/hub/facts.ts";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { agentClient, type IngestTestStream } from "../channel/testing/agent-client.ts";
import { openStore, type Store } from "../store/store.ts";
import { type JoinedCluster, startTestHub, type TestHub } from "../testing/test-hub.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 30, 12, 30);

let hub: TestHub;
let clock: ManualClock;
let cluster: JoinedCluster;
let stream: IngestTestStream;
const closers: (() => unknown)[] = [];

beforeEach(async () => {
  clock = createManualClock(NOW);
  hub = await startTestHub({}, { clock });
  cluster = await hub.join("prod-eu");
  stream = await delivering(cluster);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await hub.remove();
});

async function delivering(of: JoinedCluster): Promise<IngestTestStream> {
  const client = agentClient(of);
  closers.push(() => client.close());
  const opened = client.deliver();
  const { clusterId, incarnation } = of;
  const hello = {
    clusterId,
    incarnation,
    agentVersion: "0.1.0",
    instance: "a",
    sessionEpoch: 0n,
    relay: "",
    spools: [],
  };
  opened.send({ case: "hello", value: { $typeName: "plimsoll.v1.IngestHello", ...hello } });
  await opened.until("welcome");
  return opened;
}

const USAGE: Batch = { kind: "usage", rows: [usageRow({ hourStartMs: NOW - 30 * 60_000, asOfMs: NOW - 60_000 })] };

function seal(sequence: number, batch: Batch = USAGE, change: Partial<BatchKey> = {}): Uint8Array {
  const { clusterId, incarnation } = cluster;
  const facts = { sealedAtMs: NOW, agentClockMs: NOW, policyRevision: 1, replaces: null };
  return sealBatch({ clusterId, incarnation, spoolId: "spool-a", sequence, ...change }, batch, facts).bytes;
}

/** The batch with its content damaged on the way: its head can be read. */
function damaged(sequence: number): Uint8Array {
  const bytes = Buffer.from(seal(sequence));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
  return bytes;
}

/** A batch of tomorrow's tomorrow: the hub cannot take it before its own clock is near. */
const early = (sequence: number): Uint8Array =>
  seal(sequence, { kind: "sample", rows: [sampleRow({ windowStartMs: NOW + 30 * HOUR_MS })] });

/** Sends an envelope and waits until it is in the quarantine. */
async function refused(envelope: Uint8Array, on = stream): Promise<void> {
  on.send({ case: "envelope", value: envelope });
  expect(await on.next()).toMatchObject({ case: "reject" });
}

const list = (query = "") => hub.get(`/api/v1/quarantine${query}`, QuarantineList);
const post = (path: string, body?: unknown) =>
  hub.ask(`/api/v1/quarantine/${path}`, { method: "POST", ...(body !== undefined && { body }) });

async function newest(): Promise<QuarantineItem> {
  const [item] = (await list()).items;
  if (!item) throw new Error("the quarantine is empty");
  return item;
}

async function audited(): Promise<unknown> {
  const store: Store = await openStore({ sqlite: `${hub.dataDir}/hub.sqlite` });
  try {
    const rows = await store.db
      .selectFrom("audit")
      .selectAll()
      .where("thing", "=", "quarantine")
      .orderBy("id")
      .execute();
    return rows.map(({ verb, thing_id, outcome, detail }) => ({ verb, thing_id, outcome, ...JSON.parse(detail) }));
  } finally {
    await store.close();
  }
}

test("facts of a cluster that one may not see are shown to nobody who only may see the sender", async () => {
  const sender = await hub.join("shop-eu", { labels: { tenant: "shop" } });
  const grants = [{ role: "operator", selector: "tenant=shop" }];
  const made = await hub.ask("/api/v1/service-tokens", {
    method: "POST",
    body: { name: "shop", grants, ttlSeconds: 600 },
  });
  const { token } = ServiceTokenAnswer.parse(made.body);
  const { clusterId } = sender;
  const own = seal(1, USAGE, { clusterId, incarnation: 9 });
  const on = await delivering(sender);
  for (const bytes of [own, seal(1)]) await refused(bytes, on);
  const [foreign, mine] = (await list()).items;
  const seen = async (id: string | undefined, as?: string) => {
    const { body } = await hub.ask(`/api/v1/quarantine/${id}`, as === undefined ? {} : { token: as });
    return QuarantineView.parse(body);
  };
  expect(foreign?.code).toBe("batch_of_other_cluster");
  expect(await seen(foreign?.id, token)).toMatchObject({
    head: null,
    preview: null,
    previewFault: { code: "forbidden", message: "It holds facts of a cluster that you may not see" },
  });
  expect(await seen(mine?.id, token)).toMatchObject({ head: { clusterId }, preview: { rows: 1 } });
  expect(await seen(foreign?.id)).toMatchObject({ head: { clusterId: cluster.clusterId }, preview: { rows: 1 } });
});

describe("the list", () => {
  test("names who, what, why and what to do, newest first, and counts the same once", async () => {
    await refused(damaged(1));
    await refused(damaged(1));
    await refused(new Uint8Array([1, 2, 3]));
    const { items, total, errors, asOf } = await list();
    expect([total, errors, asOf]).toEqual([2, [], new Date(NOW).toISOString()]);
    expect(items).toMatchObject([
      { code: "batch_invalid", spoolId: null, sequence: null, bytes: 3, times: 1, kept: true },
      {
        cluster: { id: cluster.clusterId, name: "prod-eu" },
        incarnation: 1,
        spoolId: "spool-a",
        sequence: 1,
        code: "batch_hash_mismatch",
        remedy: expect.stringContaining("spool"),
        source: expect.stringMatching(/^grpc 127\.0\.0\.1:/),
        times: 2,
        firstAt: new Date(NOW).toISOString(),
        replayedAt: null,
      },
    ]);
  });

  test("is filtered by cluster and code, and goes page by page", async () => {
    const other = await hub.join("prod-us");
    for (const sequence of [1, 2, 3]) await refused(damaged(sequence));
    await refused(new Uint8Array([9]), await delivering(other));
    expect((await list("?cluster=prod-us")).items).toMatchObject([{ cluster: { name: "prod-us" } }]);
    expect((await list("?code=batch_hash_mismatch")).total).toBe(3);
    const first = await list("?cluster=prod-eu&limit=2");
    expect(first).toMatchObject({ total: 3, items: [{ sequence: 3 }, { sequence: 2 }] });
    await refused(damaged(4));
    const second = await list(`?cluster=prod-eu&limit=2&cursor=${first.next}`);
    expect(second).toMatchObject({ items: [{ sequence: 1 }], next: null });
    const elsewhere = await hub.ask(`/api/v1/quarantine?limit=2&cursor=${first.next}`);
    expect(elsewhere.body).toMatchObject({ status: 400, code: "cursor_invalid" });
    expect((await hub.ask("/api/v1/quarantine?cluster=nowhere")).body).toMatchObject({ code: "cluster_unknown" });
  });
});

describe("one entry", () => {
  test("is shown with its head and its rows where they can be read", async () => {
    await refused(early(1));
    const { id } = await newest();
    expect(await hub.get(`/api/v1/quarantine/${id}`, QuarantineView)).toMatchObject({
      id,
      code: "batch_time_invalid",
      head: { clusterId: cluster.clusterId, kind: "sample", rows: 1, sealedAt: new Date(NOW).toISOString() },
      preview: { rows: 1, first: [{ scope: "node", windowStartMs: NOW + 30 * HOUR_MS }] },
      previewFault: null,
    });
  });

  test("that is damaged is shown with its head, and says why there are no rows", async () => {
    await refused(damaged(1));
    const { id } = await newest();
    expect(await hub.get(`/api/v1/quarantine/${id}`, QuarantineView)).toMatchObject({
      head: { kind: "usage" },
      preview: null,
      previewFault: { code: "batch_hash_mismatch" },
    });
  });

  test.each(["99", "0", "x"])("%s, which is not there, is a problem", async (id) => {
    expect((await hub.ask(`/api/v1/quarantine/${id}`)).status).toBeOneOf([400, 404]);
    expect((await post(`${id}/replay`)).status).toBeOneOf([400, 404]);
  });
});

describe("a replay", () => {
  test("counts the batch once the hub can take it, and once only", async () => {
    await refused(early(1));
    const { id } = await newest();
    const again = async () => QuarantineReplay.parse((await post(`${id}/replay`)).body);
    expect(await again()).toMatchObject({ id, outcome: "rejected", code: "batch_time_invalid" });
    clock.advance(10 * HOUR_MS);
    expect(await again()).toEqual({ id, outcome: "applied", code: null, message: null });
    expect(await again()).toMatchObject({ outcome: "duplicate" });
    expect(await list()).toMatchObject({ total: 1, items: [{ replayedAt: new Date(clock.now()).toISOString() }] });
    expect((await hub.ask("/metrics")).text).toMatch(/plimsoll_ingest_rows_total\{kind="sample"\} 1\n/);
    expect(await audited()).toMatchObject([
      { verb: "update", thing_id: id, outcome: "allowed" },
      { verb: "update", thing_id: id },
      { verb: "update", thing_id: id },
    ]);
  });

  test("does not let through what its sender may not deliver", async () => {
    const other = await hub.join("prod-us");
    await refused(seal(1, USAGE, { clusterId: other.clusterId }));
    const { id, code } = await newest();
    expect(code).toBe("batch_of_other_cluster");
    expect((await post(`${id}/replay`)).body).toMatchObject({ outcome: "rejected", code: "batch_of_other_cluster" });
  });
});

describe("a drop", () => {
  const reason = { reason: "sent by a test" };

  test("leaves a gap record of the time that is missing, and the reason in the audit log", async () => {
    await refused(damaged(1));
    const { id } = await newest();
    expect(QuarantineDrop.parse((await post(`${id}/drop`, reason)).body)).toEqual({
      id,
      gap: {
        cluster: "prod-eu",
        startAt: new Date(NOW - 300_000).toISOString(),
        endAt: new Date(NOW).toISOString(),
        missing: "usage",
        reason: "quarantined",
      },
    });
    expect((await list()).total).toBe(0);
    expect((await hub.ask(`/api/v1/quarantine/${id}`)).body).toMatchObject({ code: "quarantine_unknown" });
    expect((await hub.ask("/metrics")).text).toMatch(/plimsoll_ingest_rows_total\{kind="gap"\} 1\n/);
    expect(await audited()).toMatchObject([
      { verb: "delete", thing_id: id, outcome: "allowed", before: { code: "batch_hash_mismatch" }, after: reason },
    ]);
  });

  test("asks for a reason", async () => {
    await refused(damaged(1));
    const { id } = await newest();
    for (const body of [{}, { reason: "  " }]) {
      expect((await post(`${id}/drop`, body)).body).toMatchObject({ status: 400, field: "reason" });
    }
    expect((await list()).total).toBe(1);
  });

  test.each<[string, () => Promise<void>]>([
    [
      "of what a replay has applied",
      async () => {
        await refused(early(1));
        clock.advance(10 * HOUR_MS);
        await post(`${(await newest()).id}/replay`);
      },
    ],
    [
      "of what was said to be another cluster's",
      async () => refused(seal(1, USAGE, { clusterId: (await hub.join("prod-us")).clusterId })),
    ],
  ])("%s leaves no gap", async (_, prepare) => {
    await prepare();
    const { id } = await newest();
    expect((await post(`${id}/drop`, reason)).body).toEqual({ id, gap: null });
    expect((await list()).total).toBe(0);
  });
});

test("the time of a dropped batch stays below full coverage, although the entry is gone", async () => {
  clock.advance(10 * 60_000);
  await refused(new Uint8Array([1, 2, 3]));
  await post(`${(await newest()).id}/drop`, { reason: "sent by a test" });
  clock.advance(HOUR_MS);
  const { items } = await hub.get("/api/v1/coverage?cluster=prod-eu", CoverageAnswer);
  const hour = items.find(({ hour }) => hour === new Date(NOW - 30 * 60_000).toISOString());
  expect(hour?.coverage.fraction).toBeLessThan(1);
  expect(hour?.coverage.reasons).toContainEqual(expect.objectContaining({ reason: "quarantined", lostMs: 300_000 }));
});
