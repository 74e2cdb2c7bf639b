import type { UsageRow } from "@plimsoll/contracts/wire";

type Random = () => number;

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A UID as Kubernetes makes them. */
export function uuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** A pod of one of 60 workloads in 20 namespaces, that ran for the whole hour. */
export function attributed(
  random: Random,
  { nodeUid, nodeName }: { readonly nodeUid: string; readonly nodeName: string },
  hourStartMs: number,
): UsageRow {
  const int = (below: number): number => Math.floor(random() * below);
  const workload = int(60);
  const app = `service-${workload}`;
  const labels = { app, "cost-center": `cc-${workload % 9}`, env: "prod", "owner-team": `team-${workload % 14}` };
  const milli = [50, 100, 250, 500, 1000][int(5)] ?? 50;
  const integrals = (request: number) => {
    const requested = BigInt(request * 3_600);
    const usage = BigInt(Math.round(request * 3_600 * (0.05 + 1.1 * random())));
    return { request: requested, usage, charged: usage > requested ? usage : requested, usageCoveredMs: 3_600_000 };
  };
  return {
    podUid: uuid(random),
    intervalStartMs: hourStartMs - int(30 * 24 * 3600) * 1000,
    hourStartMs,
    asOfMs: hourStartMs + 3_600_000,
    intervalEndMs: null,
    clamped: false,
    billedMs: 3_600_000,
    unseenMs: 0,
    mode: "push",
    podName: `${app}-${uuid(random).slice(0, 10)}-${uuid(random).slice(0, 5)}`,
    nodeName,
    nodeUid,
    attribution: {
      namespace: `ns-${workload % 20}`,
      workloadType: "Deployment",
      workloadName: app,
      costCenter: labels["cost-center"],
      env: "prod",
      ownerTeam: labels["owner-team"],
      labelSource: "pod",
      labels,
    },
    resources: new Map([
      ["cpu", integrals(milli * 1e6)],
      ["memory", integrals(milli * 2 ** 21)],
    ]),
  };
}
