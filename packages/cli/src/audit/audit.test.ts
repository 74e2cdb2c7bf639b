import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditCheckpoints, AuditRecord } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FixtureHub, startFixtureHub } from "../rest/testing/fixture-hub.ts";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

const AS_OF = "2026-11-30T12:00:00.000Z";
const folder = mkdtempSync(join(tmpdir(), "plimsoll-audit-"));
const { privateKey, publicKey } = generateKeyPairSync("ed25519");

/** The chain as docs/guides/audit.md describes it, calculated here on its own. */
function chained(rows: readonly Partial<AuditRecord>[]): AuditRecord[] {
  let previousHash = createHash("sha256").update("plimsoll audit log").digest("hex");
  return rows.map((row, index) => {
    const record = { ...ROW, ...row, id: index + 1, previousHash, hash: "" };
    const { id, at, actor, onBehalfOf, channel, address, verb, thing, thingId, clusterId } = record;
    const who = [id, Date.parse(at), actor, onBehalfOf, channel, address];
    const what = [verb, thing, thingId, clusterId, record.outcome, record.code, record.reason];
    const detail = JSON.stringify({ before: record.before, after: record.after });
    const text = JSON.stringify([previousHash, ...who, ...what, detail, record.requestId]);
    previousHash = createHash("sha256").update(text).digest("hex");
    return { ...record, hash: previousHash };
  });
}

const ROW: AuditRecord = {
  id: 0,
  at: "2026-11-30T11:00:00.000Z",
  actor: "admin",
  onBehalfOf: null,
  channel: "rest",
  address: "10.0.0.7",
  verb: "update",
  thing: "policy",
  thingId: "fleet",
  clusterId: null,
  outcome: "allowed",
  code: null,
  reason: "slower sampling",
  before: { sampleIntervalMs: 60_000 },
  after: { sampleIntervalMs: 120_000 },
  requestId: "r1",
  previousHash: "",
  hash: "",
};
const LOG = chained([
  {},
  {
    actor: "anonymous",
    verb: "create",
    thing: "join-token",
    thingId: null,
    outcome: "refused",
    code: "unauthenticated",
  },
  { channel: "hub", address: null, actor: "hub", reason: "=1+1", after: { note: 'a,b\n"c"' } },
]);

function checkpointsOf(log: readonly AuditRecord[]): AuditCheckpoints {
  const last = log.at(-1) ?? ROW;
  const place = { auditId: last.id, hash: last.hash, atMs: 7 };
  const message = Buffer.from(`plimsoll audit checkpoint\n${place.auditId}\n${place.hash}\n${place.atMs}\n`);
  const signature = sign(null, message, privateKey).toString("base64");
  return { publicKey: publicKey.export({ format: "pem", type: "spki" }).toString(), items: [{ ...place, signature }] };
}

let hub: FixtureHub;
beforeAll(async () => {
  hub = await startFixtureHub();
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  hub.seen.length = 0;
  serve(LOG);
  hub.answer("/api/v1/audit/checkpoints", { body: checkpointsOf(LOG) });
});

function serve(log: readonly AuditRecord[]): void {
  hub.answer("/api/v1/audit", { body: { items: log, asOf: AS_OF, next: null, total: log.length } });
}

async function ran(...args: string[]) {
  const env = { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: "t" };
  const { terminal, out, err } = testingTerminal({}, env);
  const code = await run(["audit", ...args], { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

test.each([
  ["audit-list", ["list"]],
  ["audit-list-csv", ["list", "-o", "csv"]],
  ["audit-export-syslog", ["export", "-o", "syslog"]],
  ["audit-verify", ["verify"]],
])("%s is the golden one", async (name, args) => {
  const { code, out, err } = await ran(...args);
  expect([code, err]).toEqual([0, ""]);
  await expect(out).toMatchFileSnapshot(`testdata/${name}.txt`);
});

test("a filter is the hub's to apply", async () => {
  await ran("list", "--actor", "admin", "--outcome", "refused", "--from", AS_OF, "--limit", "7");
  expect(hub.seen.map(({ url }) => url)).toEqual([
    `/api/v1/audit?actor=admin&outcome=refused&from=${encodeURIComponent(AS_OF)}&limit=7`,
  ]);
});

test.each([
  [["list", "--limit", "0"], "--limit"],
  [["list", "--outcome", "maybe"], "--outcome"],
  [["export", "-o", "xml"], "--format"],
])("%j is refused by its option", async (args, option) => {
  const { code, err } = await ran(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(option)]);
});

describe("verify", () => {
  test("reads all pages", async () => {
    const page = { asOf: AS_OF, total: LOG.length };
    hub.answer(
      "/api/v1/audit",
      { body: { ...page, items: LOG.slice(0, 2), next: "a2" } },
      { body: { ...page, items: LOG.slice(2), next: null } },
    );
    expect(await ran("verify")).toMatchObject({ code: 0, out: expect.stringContaining("rows: 3") });
    expect(hub.seen.map(({ url }) => url)).toContain("/api/v1/audit?order=oldest&limit=1000&cursor=a2");
  });

  test("exits with 3 and names the row that was changed", async () => {
    serve(LOG.map((row) => (row.id === 2 ? { ...row, outcome: "allowed" } : row)));
    const { code, out } = await ran("verify");
    expect([code, out]).toEqual([3, expect.stringContaining("changed: row 2 was changed")]);
  });

  test("finds a log that is shorter than a checkpoint kept elsewhere, without the hub's word", async () => {
    const [file, kept] = [join(folder, "audit.ndjson"), join(folder, "checkpoints.json")];
    expect((await ran("export", "--output", file)).code).toBe(0);
    writeFileSync(kept, JSON.stringify(checkpointsOf(LOG)));
    hub.seen.length = 0;
    expect((await ran("verify", "--file", file, "--checkpoints", kept)).code).toBe(0);
    const [first = ""] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${first}\n`);
    const cut = await ran("verify", "--file", file, "--checkpoints", kept, "-o", "json");
    expect([cut.code, JSON.parse(cut.out).faults]).toEqual([
      3,
      [expect.objectContaining({ kind: "truncated", id: 2 })],
    ]);
    expect(hub.seen).toEqual([]);
  });

  test.each([
    ["not there", undefined],
    ["no JSON", "garbage\n"],
    ["other rows", '{"id":1}\n'],
  ])("of a file that is %s says so", async (_, content) => {
    const file = join(folder, "odd.ndjson");
    rmSync(file, { force: true });
    if (content !== undefined) writeFileSync(file, content);
    const { code, err } = await ran("verify", "--file", file);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error file_unreadable: .*odd\.ndjson/)]);
  });
});
