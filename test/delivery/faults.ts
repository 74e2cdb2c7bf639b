import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bed } from "./bed.ts";
import type { Toxic } from "./toxiproxy.ts";

/** One round's fault. Gives how often it really came about: 0 does not count. Afterwards everything runs again. */
type Fault = (bed: Bed) => Promise<number>;

/** Every kind of fault that a run promises. */
export const FAULTS = {
  cut: async (bed) => {
    const hits = await connected(bed);
    bed.happen();
    await pause(bed.random.int(0, 150));
    await bed.proxy.enable(false);
    bed.happen();
    await pause(bed.random.int(50, 400));
    await bed.proxy.enable(true);
    return Number(hits);
  },
  latency: (bed) => toxic(bed, { type: "latency", ...eitherWay(bed), attributes: { latency: 150, jitter: 140 } }),
  "half-open": (bed) => toxic(bed, { type: "timeout", ...eitherWay(bed), attributes: { timeout: 0 } }, 1_500),
  "slow-close": async (bed) => {
    // The hub still holds the dead agent's connection while the next one delivers.
    await bed.proxy.add({ type: "slow_close", stream: "upstream", attributes: { delay: 1_000 } });
    bed.happen();
    await pause(bed.random.int(0, 200));
    const killed = await bed.agent.kill();
    await bed.startAgent();
    bed.happen();
    await pause(bed.random.int(200, 800));
    await bed.proxy.heal();
    return Number(killed);
  },
  truncate: (bed) =>
    toxic(bed, { type: "limit_data", ...eitherWay(bed), attributes: { bytes: bed.random.int(100, 9_000) } }),
  bandwidth: (bed) => toxic(bed, { type: "bandwidth", ...eitherWay(bed), attributes: { rate: bed.random.int(1, 8) } }),
  slice: (bed) =>
    toxic(bed, {
      type: "slicer",
      ...eitherWay(bed),
      attributes: { average_size: 40, size_variation: 30, delay: 500 },
    }),
  reset: (bed) =>
    toxic(bed, { type: "reset_peer", ...eitherWay(bed), attributes: { timeout: bed.random.int(0, 300) } }),
  "kill-agent": (bed) => kill(bed, ["agent"]),
  "kill-hub": (bed) => kill(bed, ["hub"]),
  "kill-both": (bed) => kill(bed, ["agent", "hub"]),
  "kill-in-commit": async (bed) => {
    await connected(bed);
    bed.hub.tell({ kind: "slow", commitMs: 400 });
    const { commits } = bed.hub;
    bed.happen();
    await Promise.race([bed.hub.committing(commits), pause(3_000)]);
    // Long enough for an answer that does not wait for the commit, too short for the commit.
    await pause(bed.random.int(100, 250));
    const begun = bed.hub.commits > commits;
    const killed = await bed.hub.kill();
    await bed.startHub();
    return Number(begun && killed);
  },
  repeat: async (bed) => {
    // The answer is lost while the commit runs; the batch is sent again before it is durable.
    await connected(bed);
    bed.hub.tell({ kind: "slow", commitMs: 700 });
    const { commits } = bed.hub;
    bed.happen();
    await Promise.race([bed.hub.committing(commits), pause(3_000)]);
    await bed.proxy.enable(false);
    await bed.proxy.enable(true);
    await pause(700);
    bed.hub.tell({ kind: "slow", commitMs: 0 });
    return Number(bed.hub.commits > commits);
  },
  "agent-disk-full": async (bed) => {
    const full = bed.agentDisk.fill();
    // A segment may have room left in its last block: more than that is told.
    for (let i = 0; i < 4; i += 1) bed.happen();
    await pause(bed.random.int(50, 500));
    await until(() => bed.agent.events.has("spool_failing"), FELT_MS);
    if (bed.random.chance(0.3)) await bed.agent.kill();
    const refused = bed.agent.events.get("spool_failing") ?? 0;
    bed.agentDisk.free();
    await bed.startAgent();
    return full ? refused : 0;
  },
  "hub-disk-full": async (bed) => {
    await connected(bed);
    const before = troubles(bed);
    const full = bed.hubDisk.fill();
    bed.happen();
    await pause(bed.random.int(100, 900));
    await until(() => troubles(bed) > before, FELT_MS);
    const refused = troubles(bed) - before;
    if (bed.random.chance(0.3)) await bed.hub.kill();
    bed.hubDisk.free();
    await bed.startHub();
    return full ? refused : 0;
  },
  "agent-read-only": async (bed) => {
    const readOnly = bed.agentDisk.turnReadOnly();
    bed.happen();
    await pause(bed.random.int(50, 500));
    await until(() => bed.agent.events.has("spool_failing"), FELT_MS);
    const refused = bed.agent.events.get("spool_failing") ?? 0;
    await bed.agent.kill();
    bed.agentDisk.repair();
    await bed.startAgent();
    return readOnly ? refused : 0;
  },
  "hub-read-only": async (bed) => {
    await connected(bed);
    const before = troubles(bed);
    const readOnly = bed.hubDisk.turnReadOnly();
    bed.happen();
    await pause(bed.random.int(100, 900));
    await until(() => troubles(bed) > before, FELT_MS);
    const refused = troubles(bed) - before;
    await bed.hub.kill();
    bed.hubDisk.repair();
    await bed.startHub();
    return readOnly ? refused : 0;
  },
  "clock-jump": async (bed) => {
    bed.happen();
    bed.skewMs = bed.random.pick([-1, 1]) * bed.random.int(60_000, 20 * 3_600_000);
    bed.setAgentClock();
    bed.happen();
    await pause(bed.random.int(100, 600));
    if (bed.random.chance(0.5)) bed.skewMs = 0;
    bed.setAgentClock();
    return 1;
  },
  "two-sessions": (bed) => twoSessions(bed, false),
  "copied-spool": (bed) => twoSessions(bed, true),
  "damaged-spool": async (bed) => {
    await bed.proxy.enable(false);
    const before = usageBytes(bed);
    bed.happen();
    await until(() => bed.unspooled.length === 0, 3_000);
    await bed.agent.kill();
    const hit = damage(bed, before);
    await bed.startAgent();
    await bed.proxy.enable(true);
    return hit;
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** A fault that is not felt within this is given up. */
const FELT_MS = 4_000;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[];

/** A fault on the connection for a while, with facts on the way before, in and after it. */
async function toxic(bed: Bed, fault: Toxic, atMostMs = 900): Promise<number> {
  const hits = await connected(bed);
  bed.happen();
  await bed.proxy.add(fault);
  bed.happen();
  await pause(bed.random.int(150, atMostMs));
  await bed.proxy.heal();
  return Number(hits);
}

function eitherWay(bed: Bed): Pick<Toxic, "stream"> {
  return { stream: bed.random.pick(["upstream", "downstream"] as const) };
}

async function kill(bed: Bed, victims: readonly ("agent" | "hub")[]): Promise<number> {
  bed.happen();
  await pause(bed.random.int(0, 300));
  const killed = await Promise.all(victims.map((victim) => bed[victim].kill()));
  // Facts go on while the hub is away.
  if (victims.length === 1 && victims[0] === "hub") bed.happen();
  await pause(bed.random.int(0, 100));
  if (victims.includes("hub")) await bed.startHub();
  if (victims.includes("agent")) await bed.startAgent();
  return killed.filter(Boolean).length === victims.length ? 1 : 0;
}

/** Failures of storing that the hub told of. */
function troubles({ hub }: Bed): number {
  return ["ingest_failed", "upkeep_failed", "pricing_failed"].reduce(
    (sum, name) => sum + (hub.events.get(name) ?? 0),
    0,
  );
}

/** A second agent fences the first, delivers, and goes; then the first comes back. */
async function twoSessions(bed: Bed, copied: boolean): Promise<number> {
  if (copied) {
    // What waits in the spool waits in both from now on.
    await bed.proxy.enable(false);
    bed.happen();
    await until(() => bed.unspooled.length === 0, 3_000);
    await bed.agent.kill();
  }
  const second = await bed.startSecond(copied);
  if (copied) {
    await bed.startAgent();
    await bed.proxy.enable(true);
  } else {
    bed.happen(second);
    bed.happen();
  }
  const fenced = await Promise.race([bed.agent, second].map((agent) => agent.over(10_000).catch(() => "nobody")));
  // What the second one did not deliver waits in its folder.
  await Promise.all([second.kill(), bed.agent.kill()]);
  await bed.startAgent();
  return Number(fenced === "agent_fenced");
}

/** Waits until the agent's batches get to the hub, else a fault would meet nobody. Gives whether they do. */
async function connected({ agent }: Bed): Promise<boolean> {
  const isConnected = async () => (await agent.status())?.connected === true;
  await until(isConnected, 2 * FELT_MS);
  return isConnected();
}

async function until(good: () => boolean | Promise<boolean>, ms: number): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end && !(await good()); ) await pause(20);
}

/** Bytes of each segment of usage, by path. */
function usageBytes(bed: Bed): ReadonlyMap<string, number> {
  const folder = join(bed.agentFolder, "spool/usage");
  return new Map(readdirSync(folder).map((name) => [join(folder, name), statSync(join(folder, name)).size]));
}

/** Flips a bit of what was appended since: it waits for its acknowledgement. Gives 1 when there was something. */
function damage(bed: Bed, before: ReadonlyMap<string, number>): number {
  const grown = [...usageBytes(bed)].flatMap(([path, size]) => {
    const from = before.get(path) ?? 0;
    return size > from ? [{ path, position: bed.random.int(from, size - 1) }] : [];
  });
  const hit = grown[0];
  if (!hit) return 0;
  const file = openSync(hit.path, "r+");
  try {
    const byte = new Uint8Array(1);
    readSync(file, byte, 0, 1, hit.position);
    writeSync(
      file,
      byte.map((value) => value ^ 0x40),
      0,
      1,
      hit.position,
    );
  } finally {
    closeSync(file);
  }
  return 1;
}
