import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Batch, openEnvelope, parseEnvelope, sealBatch } from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEntryHead } from "../../../agent/src/rows/entry-head.ts";
import { openSpoolFolder } from "../../../agent/src/spool/open-spool-folder.ts";
import type { Spool, SpoolLoss } from "../../../agent/src/spool/spool.ts";
import { takeLock } from "../../../agent/src/state/state-lock.ts";
import { EXAMPLE_BATCHES } from "../../../contracts/src/wire/testing/example-rows.ts";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

const SEALED = Date.UTC(2026, 0, 31, 9);
let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "plimsoll-spool-command-"));
});
afterEach(() => rm(state, { recursive: true }));

async function ran(...args: readonly string[]) {
  const { terminal, out, err } = testingTerminal({ columns: 120 });
  const code = await run(["spool", ...args], { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

function open(): Promise<Spool> {
  return openSpoolFolder(join(state, "spool"), {
    maxBytes: () => 1e9,
    now: () => SEALED,
    readHead: readEntryHead,
    keepDamage: async () => {},
    reserveBytes: 4_096,
  });
}

/** Two batches of usage, one of each other kind. */
async function fill(): Promise<Spool> {
  const spool = await open();
  const usage = EXAMPLE_BATCHES.find(({ kind }) => kind === "usage");
  for (const batch of [...EXAMPLE_BATCHES, ...(usage ? [usage] : [])]) await put(spool, batch);
  return spool;
}

async function put(spool: Spool, batch: Batch): Promise<void> {
  const facts = { sealedAtMs: SEALED, agentClockMs: SEALED, policyRevision: 1, replaces: null };
  await spool.append(batch.kind, (spoolId, sequence) => {
    const { bytes } = sealBatch({ clusterId: "c-1", incarnation: 1, spoolId, sequence }, batch, facts);
    return { bytes, sealedAtMs: SEALED };
  });
}

const segmentOf = async (kind: string): Promise<string> => {
  const [name] = await readdir(join(state, "spool", kind));
  return join(state, "spool", kind, name ?? "");
};

/** Damages the byte at a share of a file. */
async function damage(path: string, share: number): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length * share);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  await writeFile(path, bytes);
}

async function hashes(): Promise<readonly string[]> {
  const names = await readdir(state, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const all = files.map(
    async (file) =>
      `${file} ${createHash("sha256")
        .update(await readFile(file))
        .digest("hex")}`,
  );
  return (await Promise.all(all)).sort();
}

async function lossesAtStart(): Promise<readonly SpoolLoss[]> {
  const losses: SpoolLoss[] = [];
  const spool = await open();
  await spool.settle({ record: async (loss) => void losses.push(loss), merger: () => undefined });
  return losses;
}

describe("inspect", () => {
  test("shows what is there, of a spool in use too, and changes nothing", async () => {
    const spool = await fill();
    const release = await takeLock(join(state, "lock"), state);
    const before = await hashes();
    const { code, out } = await ran("inspect", state, "-o", "json");
    expect([code, await hashes()]).toEqual([0, before]);
    await spool.reader().next();
    const survey = JSON.parse(out);
    expect(survey).toMatchObject({
      path: join(state, "spool"),
      usedByPid: process.pid,
      reserveBytes: 4_096,
      losses: [],
      quarantine: [],
    });
    expect(survey.segments).toHaveLength(4);
    expect(survey.segments[1]).toMatchObject({
      kind: "usage",
      unsent: true,
      batches: 2,
      firstSequence: 1,
      lastSequence: 2,
      oldestSealedAt: "2026-01-31T09:00:00.000Z",
      damages: [],
    });
    await release();
    expect((await ran("inspect", join(state, "spool"))).out).toContain("No agent uses it.");
  });

  test("finds no damage while an agent appends and removes", async () => {
    const spool = await fill();
    const release = await takeLock(join(state, "lock"), state);
    let stopped = false;
    const busy = (async () => {
      const [batch] = EXAMPLE_BATCHES;
      while (!stopped && batch) {
        await put(spool, batch);
        const [one] = spool.states();
        if (one) await spool.acknowledge({ spoolId: one.spoolId, contiguous: Number(one.lastSequence), ranges: [] });
      }
    })();
    for (let look = 0; look < 20; look += 1) expect((await ran("inspect", state)).code).toBe(0);
    for (let look = 0; look < 5; look += 1) expect((await ran("export", state)).code).toBe(0);
    stopped = true;
    await busy;
    await release();
  });

  test("tells apart what was never sent", async () => {
    const reader = (await fill()).reader();
    for (let batch = await reader.next(); batch; batch = await reader.next());
    const survey = JSON.parse((await ran("inspect", state, "-o", "json")).out);
    expect(survey.segments.map((segment: { unsent: boolean }) => segment.unsent)).toEqual([true, false, false, false]);
  });

  test("exits with 3 when something is damaged, and says what is lost", async () => {
    await fill();
    await damage(await segmentOf("usage"), 0.3);
    const { code, out } = await ran("inspect", state);
    expect(code).toBe(3);
    expect(out).toContain("Damaged:");
    expect(out).toMatch(/usage batches 1–1 of [-0-9a-f]{36} \(1\)/);
  });

  test.each([
    ["/nowhere", 1, "spool_not_found"],
    [tmpdir(), 1, "spool_not_found"],
  ])("of %s exits with %i: %s", async (path, code, error) => {
    const answer = await ran("inspect", path);
    expect([answer.code, answer.out]).toEqual([code, ""]);
    expect(answer.err).toContain(`error ${error}: `);
  });
});

describe("export", () => {
  test("gives each row as a line of JSON, with the batch that it is of", async () => {
    await fill();
    const { code, out, err } = await ran("export", state, "--kind", "usage", "node");
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const rows = EXAMPLE_BATCHES.flatMap((batch) => (batch.kind === "usage" ? batch.rows : []));
    expect(lines.filter(({ kind }) => kind === "usage")).toHaveLength(rows.length * 2);
    expect(lines[0]).toMatchObject({
      kind: "usage",
      cluster: "c-1",
      sequence: 1,
      sealedAt: "2026-01-31T09:00:00.000Z",
      sent: "no",
      row: { podUid: rows[0]?.podUid, resources: { cpu: { request: String(rows[0]?.resources.get("cpu")?.request) } } },
    });
    expect(err).toMatch(/^3 batches, \d+ rows\n$/);
  });

  test("gives batches with their bytes, to a file for each kind, and never over one that is there", async () => {
    await fill();
    const folder = join(state, "out");
    expect((await ran("export", state, "--as", "envelopes", "--output", folder)).code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(["gap.ndjson", "node.ndjson", "sample.ndjson", "usage.ndjson"]);
    for (const { kind, rows } of EXAMPLE_BATCHES) {
      const [line = ""] = (await readFile(join(folder, `${kind}.ndjson`), "utf8")).split("\n");
      const { envelope } = JSON.parse(line);
      expect(openEnvelope(parseEnvelope(Buffer.from(envelope, "base64")))).toEqual({ kind, rows });
    }
    const again = await ran("export", state, "--output", folder);
    expect([again.code, again.err.split(":")[0]]).toEqual([1, "error output_unwritable"]);
  });

  test("gives what cannot be opened as it is, with the reason, and exits with 3", async () => {
    const spool = await fill();
    await spool.append("gap", () => ({ bytes: Buffer.from("no envelope"), sealedAtMs: SEALED }));
    const { code, out } = await ran("export", state, "--kind", "gap");
    expect(code).toBe(3);
    expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      kind: "gap",
      sequence: 2,
      error: { code: "batch_invalid" },
      envelope: Buffer.from("no envelope").toString("base64"),
    });
  });

  test("gives what the hub refused", async () => {
    await fill();
    expect((await ran("export", state, "--quarantine")).out).toBe("");
    const [batch] = EXAMPLE_BATCHES;
    if (!batch) throw new Error("there are examples");
    const facts = { sealedAtMs: SEALED, agentClockMs: SEALED, policyRevision: 1, replaces: null };
    const { bytes } = sealBatch({ clusterId: "c-1", incarnation: 1, spoolId: "s", sequence: 7 }, batch, facts);
    const { mkdir } = await import("node:fs/promises");
    await mkdir(join(state, "quarantine"));
    await writeFile(join(state, "quarantine/s-7.batch_conflict.envelope"), bytes);
    const { out } = await ran("export", state, "--quarantine", "--as", "envelopes");
    expect(JSON.parse(out)).toMatchObject({
      file: "s-7.batch_conflict.envelope",
      refusedBy: "batch_conflict",
      sequence: 7,
    });
  });
});

describe("repair", () => {
  test("refuses a spool that is in use", async () => {
    await fill();
    const release = await takeLock(join(state, "lock"), state);
    for (const args of [[state], [state, "--dry-run"]]) {
      const { code, err } = await ran("repair", ...args);
      expect([code, err.split(":")[0]]).toEqual([1, "error state_busy"]);
    }
    await release();
  });

  test("has nothing to do for a sound one", async () => {
    await fill();
    const before = await hashes();
    expect(await ran("repair", state)).toEqual({ code: 0, out: "Nothing is damaged.\n", err: "" });
    expect(await hashes()).toEqual(before);
  });

  test.each([
    ["a damaged middle", 0.3, 1],
    ["a damaged end", 0.9, 2],
  ])(
    "moves %s aside; the agent tells the same loss as without it, and uses no sequence again",
    async (_, share, lost) => {
      const spoolId = (await fill()).figures().spoolId;
      const path = await segmentOf("usage");
      await damage(path, share);
      const before = await hashes();
      const dry = await ran("repair", state, "--dry-run");
      expect([dry.code, await hashes()]).toEqual([3, before]);
      expect(dry.out).toContain("Nothing was done to 1 segment: --dry-run.");

      const { code, out } = await ran("repair", state);
      expect([code, out.split("\n")[0]]).toEqual([0, dry.out.split("\n")[0]]);
      expect(await readdir(join(state, "quarantine"))).toHaveLength(1);
      expect((await ran("repair", state)).out).toBe("Nothing is damaged.\n");
      const survey = JSON.parse((await ran("inspect", state, "-o", "json")).out);
      expect(survey.losses).toMatchObject([{ kind: "usage", firstSequence: lost, lastSequence: lost }]);

      expect(await lossesAtStart()).toMatchObject([
        { reason: "spool_corrupt", missing: "usage", first: lost, spoolId },
      ]);
      const spool = await open();
      const usage = EXAMPLE_BATCHES.find(({ kind }) => kind === "usage");
      if (usage) await put(spool, usage);
      const keys = spool.states().map((one) => `${one.spoolId} ${one.lastSequence}`);
      expect(keys).not.toContain(`${spoolId} ${lost === 2 ? 2n : 1n}`);
    },
  );

  test("writes a damaged header anew: the segment counts as sent", async () => {
    await fill();
    await damage(await segmentOf("node"), 0.001);
    expect((await ran("repair", state)).out).toContain("write its header anew; it counts as sent");
    const survey = JSON.parse((await ran("inspect", state, "-o", "json")).out);
    expect(survey.segments.find(({ kind }: { kind: string }) => kind === "node")).toMatchObject({
      unsent: false,
      headerDamaged: false,
      batches: 1,
    });
  });
});
