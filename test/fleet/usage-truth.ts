import type { PodTruth, Simulator } from "@plimsoll/sim";
import type { HeldUsage } from "./held-usage.ts";

/** What the simulator wrote down of the pods of a cluster, against what a hub holds of them. */
export interface UsageTruth {
  /** What is not as it was, one text each. An agent may have been started again up to `starts` times. */
  faults(usage: ReadonlyMap<string, HeldUsage>, starts: number): readonly string[];
}

/** `fromMs`: start of the hour in which the cluster was seen first, for an agent meters from there. */
export function createUsageTruth(simulator: Simulator, cluster: string, fromMs: number): UsageTruth {
  const truths = new Map<number, ReadonlyMap<string, PodTruth>>();
  /** By UID, up to a second since 1970; rows run to few different ones. */
  const truthAt = (second: number): ReadonlyMap<string, PodTruth> => {
    const known = truths.get(second);
    if (known) return known;
    const pods = simulator.truth(cluster, new Date(fromMs), new Date(second * 1_000));
    const made = new Map(pods.map((pod) => [pod.uid, pod]));
    truths.set(second, made);
    return made;
  };
  return {
    faults: (usage, starts) => [...usage].flatMap(([uid, holds]) => faultsOf(truthAt, uid, holds, starts)),
  };
}

/**
 * What the hub holds of a pod against its truth up to where its rows run: for a pod that ended, its whole life. An agent
 * that starts again goes on from whole units, so each start may cost one byte-second; the end of a pod that is still open
 * lies within a second.
 */
function faultsOf(
  truthAt: (second: number) => ReadonlyMap<string, PodTruth>,
  uid: string,
  holds: HeldUsage,
  starts: number,
): string[] {
  const asOf = holds.asOfMs / 1_000;
  const [least, most] = [Math.floor(asOf), Math.ceil(asOf)].map((second) => truthAt(second).get(uid)?.requested);
  // One that ended before that hour may be there still; nothing of it is metered.
  if (!most && holds.cpu === 0n && holds.memory === 0n) return [];
  if (!most) return [`${uid} is no pod of that time, and ${holds.cpu} and ${holds.memory} are held of it`];
  // One that began within that second had nothing before it.
  const bounds = [
    { name: "cpu", held: holds.cpu, least: least?.cpuNanocoreSeconds ?? 0n, most: most.cpuNanocoreSeconds },
    { name: "memory", held: holds.memory, least: least?.memoryByteSeconds ?? 0n, most: most.memoryByteSeconds },
  ];
  return bounds
    .filter((one) => {
      // Gone while no agent looked: billed to the last sighting, which the simulator's tick may put a second too late.
      const second = one.most / BigInt(Math.max(1, truthAt(Math.ceil(asOf)).get(uid)?.seconds ?? 1)) + 1n;
      const [over, under] =
        holds.unseenMs > 0 ? [second, second * BigInt(Math.ceil(holds.unseenMs / 1_000) + 1)] : [0n, 0n];
      return one.held > one.most + over || one.held < one.least - under - BigInt(starts);
    })
    .map((one) => `${uid} ${one.name}: ${one.held} is not from ${one.least} to ${one.most}, ${holds.unseenMs} unseen`);
}
