import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { silentLog } from "../log/hub-log.ts";
import { openStore, type Store } from "../store/store.ts";
import { Liveness } from "./liveness.ts";
import { insertCluster } from "./testing/insert-cluster.ts";

const SETTINGS = { beatMs: { push: 30_000, pull: 60_000 }, unknownAfterBeats: 4 };
const A = { id: "a", mode: "push" } as const;
const P = { id: "p", mode: "pull" } as const;

let store: Store;
let clock: ManualClock;
const open = (clusters: readonly { id: string; mode: "push" | "pull" }[] = [A, P]) =>
  Liveness.open({ store, clock, log: silentLog, settings: SETTINGS }, clusters);

beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
  clock = createManualClock();
  for (const { id } of [A, P]) await insertCluster(store, { id });
});
afterEach(() => store.close());

async function transitions(type = "connectivity") {
  const rows = await store.db.selectFrom("transitions").selectAll().where("type", "=", type).orderBy("id").execute();
  return rows.map((row) => `${row.cluster_id}: ${row.from_state} → ${row.to_state}`);
}

describe("a cluster that falls silent", () => {
  test("is late after two beats, offline after four, and online with the next beat; all of it is kept", async () => {
    const liveness = await open();
    expect(liveness.of("a").state).toBe("never-seen");
    liveness.heard("a");
    expect(liveness.of("a").state).toBe("online");
    clock.advance(59_999);
    expect(liveness.of("a").state).toBe("online");
    clock.advance(1);
    expect(liveness.of("a").state).toBe("late");
    clock.advance(60_000);
    expect(liveness.of("a").state).toBe("offline");
    clock.advance(3_600_000);
    liveness.heard("a");
    expect(liveness.of("a")).toMatchObject({ state: "online", sinceMs: clock.now(), lastBeatAtMs: clock.now() });
    await liveness.stored();
    expect(await transitions()).toEqual([
      "a: never-seen → online",
      "a: online → late",
      "a: late → offline",
      "a: offline → online",
    ]);
  });

  test("is judged at the moment of expiry, with one timer however many beats came", async () => {
    const liveness = await open();
    for (let beat = 0; beat < 10; beat += 1) {
      liveness.heard("a");
      clock.advance(30_000);
    }
    clock.advance(29_999);
    expect(liveness.of("a").state).toBe("online");
    clock.advance(1);
    expect(liveness.of("a").state).toBe("late");
  });

  test("has the windows of its mode: a pulled one is heard of less often", async () => {
    const liveness = await open();
    liveness.heard("p");
    clock.advance(119_999);
    expect(liveness.of("p")).toMatchObject({
      state: "online",
      windows: { lateAfterMs: 120_000, unknownAfterMs: 240_000 },
    });
    clock.advance(1);
    expect(liveness.of("p").state).toBe("late");
  });

  test("is judged anew when the settings change", async () => {
    const liveness = await open();
    liveness.heard("a");
    clock.advance(40_000);
    liveness.reconfigure({ beatMs: { push: 10_000, pull: 10_000 }, unknownAfterBeats: 4 });
    expect(liveness.of("a").state).toBe("offline");
  });
});

describe("a hub that comes back", () => {
  test("calls nobody late or unknown before a window has passed, then judges", async () => {
    const before = await open();
    before.heard("a");
    await before.stop();
    clock.advance(3_600_000);
    const after = await open();
    expect(after.of("a").state).toBe("online");
    clock.advance(59_999);
    expect(after.of("a").state).toBe("online");
    clock.advance(1);
    expect(after.of("a").state).toBe("late");
    clock.advance(60_000);
    expect(after.of("a").state).toBe("offline");
    await after.stored();
    expect(await transitions()).toEqual(["a: never-seen → online", "a: online → late", "a: late → offline"]);
  });

  test("remembers the last beat and health", async () => {
    const before = await open();
    before.heard("a", { health: "degraded" });
    const at = clock.now();
    await before.stop();
    clock.advance(5_000);
    expect((await open()).of("a")).toMatchObject({ state: "online", lastBeatAtMs: at, health: "degraded" });
  });
});

describe("health", () => {
  test("is unknown while nothing is heard, and what it was when the cluster returns", async () => {
    const liveness = await open();
    expect(liveness.of("a").health).toBe("unknown");
    liveness.heard("a", { health: "healthy" });
    expect(liveness.of("a").health).toBe("healthy");
    clock.advance(120_000);
    expect(liveness.of("a").health).toBe("unknown");
    liveness.heard("a");
    expect(liveness.of("a").health).toBe("healthy");
  });

  test("read by the hub turns unhealthy only when the failure is sustained, and the change is kept once", async () => {
    const liveness = await open();
    liveness.heard("p", { health: "healthy" });
    liveness.heard("p", { health: "unhealthy" });
    expect(liveness.of("p").health).toBe("healthy");
    clock.advance(30_000);
    liveness.heard("p", { health: "unhealthy" });
    expect(liveness.of("p").health).toBe("unhealthy");
    await liveness.stored();
    expect(await transitions("health")).toEqual(["p: null → healthy", "p: healthy → unhealthy"]);
  });

  test("told by an agent counts at once: it has waited itself", async () => {
    const liveness = await open();
    liveness.heard("a", { health: "healthy" });
    liveness.heard("a", { health: "unhealthy" });
    expect(liveness.of("a").health).toBe("unhealthy");
  });
});

test("a beat alone writes nothing until the minute is over", async () => {
  const liveness = await open();
  liveness.heard("a");
  await liveness.stored();
  const at = async () => (await store.db.selectFrom("liveness").selectAll().where("cluster_id", "=", "a").execute())[0];
  const first = await at();
  clock.advance(20_000);
  liveness.heard("a", { clockOffsetMs: 12.4 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(await at()).toEqual(first);
  clock.advance(40_000);
  await liveness.stored();
  expect(await at()).toMatchObject({ last_beat_at_ms: clock.now() - 40_000, clock_offset_ms: 12 });
});

test("a change that cannot be stored is stored later, in order", async () => {
  const liveness = await open();
  await liveness.stored();
  const { write } = store;
  Object.assign(store, { write: () => Promise.reject(new Error("disk full")) });
  liveness.heard("a");
  await liveness.stored();
  expect(await transitions()).toEqual([]);
  Object.assign(store, { write });
  clock.advance(60_000);
  await liveness.stored();
  expect(await transitions()).toEqual(["a: never-seen → online", "a: online → late"]);
});

test("what is not watched is ignored", async () => {
  const liveness = await open([]);
  liveness.heard("stranger");
  expect(liveness.of("stranger").state).toBe("never-seen");
});

describe("a cluster that another process hears", () => {
  const shown = () =>
    Liveness.open({ store, clock, log: silentLog, settings: SETTINGS, hears: (mode) => mode === "push" }, [A, P]);

  test("is as that process stores it, and falls silent when nothing more is stored", async () => {
    const settings = { store, clock, log: silentLog, settings: SETTINGS, isShownElsewhere: true };
    const hearing = await Liveness.open(settings, [P]);
    const showing = await shown();
    expect(showing.of("p").state).toBe("never-seen");
    hearing.heard("p", { health: "degraded" });
    await hearing.stored();
    await showing.learn();
    expect(showing.of("p")).toMatchObject({ state: "online", health: "degraded", lastBeatAtMs: clock.now() });
    await hearing.stop();
    clock.advance(240_000);
    await showing.learn();
    expect(showing.of("p")).toMatchObject({ state: "offline", health: "unknown" });
    await showing.stored();
    expect((await transitions()).filter((text) => text.startsWith("p"))).toEqual(["p: never-seen → online"]);
  });
});
