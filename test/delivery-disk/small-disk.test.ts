import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStateFolder } from "../../packages/agent/src/state/state-folder.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { newestUsage, openOnDisk, readAll } from "./spool-on-disk.ts";

let disk: SmallDisk;
beforeEach(async () => {
  disk = await mountSmallDisk(1_024);
});
afterEach(() => disk.unmount());

describe("on a disk that runs full", () => {
  test("the agent coarsens, drops the oldest samples, and tells each loss before; usage is there to the last row", async () => {
    const agent = await openOnDisk(disk.path);
    for (let flush = 0; flush < 2_000 && agent.spool.figures().dropped < 20; flush += 1) await agent.flush();
    const { coarsened, dropped, gaps, writeFailures } = agent.spool.figures();
    process.stdout.write(`small disk: ${JSON.stringify({ coarsened, dropped, gaps, writeFailures })}\n`);
    expect(Math.min(coarsened, dropped, gaps, writeFailures)).toBeGreaterThan(0);

    await agent.spool.close();
    const again = await openOnDisk(disk.path);
    // Dropped ones may be there again whose segment was not removed yet: told as lost, and delivered all the same.
    expect(again.spool.figures().batches).toBeGreaterThanOrEqual(agent.spool.figures().batches);
    const batches = await readAll(again.spool);
    const told = batches.flatMap((batch) => (batch.kind === "gap" ? batch.rows : []));
    expect(told.filter(({ reason }) => reason !== "disk_full")).toEqual([]);
    expect(told.every(({ startMs, endMs }) => endMs !== null && startMs <= endMs)).toBe(true);
    const held = newestUsage(batches);
    expect(held).toEqual(agent.truth);
  });

  test("acknowledgements, deletes and gap records work where not one byte is free, and it recovers by itself", async () => {
    const agent = await openOnDisk(disk.path);
    for (let flush = 0; flush < 40; flush += 1) await agent.flush();
    const free = await disk.fill();
    expect(await disk.freeBytes()).toBe(0);
    const lost = () => agent.log.filter(({ event }) => event === "spool_loss");
    let flushes = 0;
    while (flushes < 500 && lost().length < 3) {
      await agent.flush();
      flushes += 1;
    }
    const alert = agent.log.find(({ event }) => event === "spool_failing");
    expect(alert?.fields).toMatchObject({ code: "spool_unwritable", disk: "full" });
    expect(agent.spool.figures().coarsened).toBeGreaterThan(0);
    expect(lost()[0]?.fields).toMatchObject({ reason: "disk_full", missing: "sample" });
    // Told once for each change of state, not for each flush.
    expect(agent.log.filter(({ event }) => event === "spool_failing").length).toBeLessThan(flushes / 2);

    const held = agent.spool.figures().batches;
    for (const { spoolId } of agent.spool.states()) {
      await agent.spool.acknowledge({ spoolId, contiguous: 20, ranges: [] });
    }
    expect(agent.spool.figures().batches).toBeLessThan(held);

    await free();
    await agent.flush();
    await agent.flush();
    expect(agent.log.at(-1)?.event).toBe("spool_writable");
    expect(agent.spool.figures()).toMatchObject({ disk: "ok", reserved: true });
    expect(agent.spooler.waiting).toBe(0);
  });

  test("an agent starts, by the room that was set aside", async () => {
    const agent = await openOnDisk(disk.path);
    await agent.flush();
    await agent.spool.close();
    // As a process that was killed leaves it: what it locked with is there, and so is no room.
    await disk.fill();
    const folder = await openStateFolder(disk.path);
    const again = await openOnDisk(disk.path);
    expect(again.spool.figures().batches).toBe(2);
    await again.flush();
    await again.spool.close();
    await folder.release();
  });
});

describe("on a disk that turns read-only", () => {
  test("what cannot be spooled waits in memory, acknowledgements count, and all of it is there afterwards", async () => {
    const agent = await openOnDisk(disk.path);
    for (let flush = 0; flush < 5; flush += 1) await agent.flush();
    await disk.setReadOnly(true);
    for (let flush = 0; flush < 5; flush += 1) await agent.flush();
    expect(agent.log.map(({ event, fields }) => [event, fields.disk])).toEqual([["spool_failing", "failing"]]);
    expect(agent.spool.figures()).toMatchObject({ disk: "failing", batches: 10 });
    expect(agent.counts().spool_failures).toBeGreaterThanOrEqual(5);
    expect(agent.spooler.waiting).toBeGreaterThan(0);
    // Nothing goes out that cannot be marked as sent.
    expect(await readAll(agent.spool)).toEqual([]);

    await disk.setReadOnly(false);
    await agent.flush();
    expect(agent.log.at(-1)?.event).toBe("spool_writable");
    expect(agent.spooler.waiting).toBe(0);
    const batches = await readAll(agent.spool);
    expect(newestUsage(batches)).toEqual(agent.truth);
    const samples = batches.flatMap((batch) => (batch.kind === "sample" ? batch.rows : []));
    expect(samples).toHaveLength(agent.samples());
  });

  test("what was acknowledged meanwhile goes from the disk once it can", async () => {
    const agent = await openOnDisk(disk.path);
    for (let flush = 0; flush < 60; flush += 1) await agent.flush();
    const before = agent.spool.figures().bytes;
    await disk.setReadOnly(true);
    for (const { spoolId } of agent.spool.states()) {
      await agent.spool.acknowledge({ spoolId, contiguous: 1_000, ranges: [] });
    }
    expect(agent.spool.figures()).toMatchObject({ batches: 0, bytes: before });
    await disk.setReadOnly(false);
    await agent.flush();
    for (const { spoolId } of agent.spool.states()) {
      await agent.spool.acknowledge({ spoolId, contiguous: 1_000, ranges: [] });
    }
    expect(agent.spool.figures().bytes).toBeLessThan(before / 2);
  });

  test("a folder that can only be read is opened, and used when it can be written", async () => {
    await mkdir(join(disk.path, "spool"));
    const first = await openOnDisk(disk.path);
    await first.flush();
    await first.spool.close();
    await disk.setReadOnly(true);
    const agent = await openOnDisk(disk.path);
    await agent.flush();
    expect(agent.spool.figures()).toMatchObject({ disk: "failing", batches: 2 });
    await disk.setReadOnly(false);
    await agent.flush();
    expect(agent.spool.figures()).toMatchObject({ disk: "ok", batches: 4 });
  });
});
