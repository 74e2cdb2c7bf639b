import type { Environment } from "@plimsoll/contracts";
import { ENVIRONMENTS, KINDS, type Kind, PURPOSES } from "./kinds.ts";
import { seededRandom } from "./random.ts";

/** How a cluster of the invented fleet is doing: most are well, a few show each state that the page must show. */
export type Condition =
  | "well"
  | "degraded"
  | "unhealthy"
  | "late"
  | "offline"
  | "never-seen"
  | "no-usage"
  | "full"
  | "empty";

/** By the cluster's number in each twenty. */
const CONDITIONS: Readonly<Record<number, Condition>> = {
  3: "degraded",
  5: "full",
  7: "late",
  9: "offline",
  11: "no-usage",
  12: "empty",
  14: "unhealthy",
  17: "never-seen",
};
const SILENT_SECONDS: Partial<Record<Condition, number>> = { late: 75, offline: 3_900 };
const LOADS: Partial<Record<Condition, number>> = { full: 0.93, empty: 0.11 };

/** What is decided of a cluster before its figures are worked out. */
export interface ClusterPlan {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly version: string;
  readonly region: string | null;
  readonly environment: Environment;
  readonly team: string;
  readonly condition: Condition;
  readonly nodes: number;
  /** Requested share of cpu, 0–1; the others follow it. */
  readonly load: number;
  /** Used of requested, 0–1; null = unknown. */
  readonly usage: number | null;
  /** Since the last beat. */
  readonly silentSeconds: number;
}

/** Cluster number `index` of the invented fleet: the same for the same number. */
export function planCluster(index: number): ClusterPlan {
  const random = seededRandom(index + 1);
  const condition = CONDITIONS[index % 20] ?? "well";
  const kind = pick(KINDS, index);
  const environment = pick(ENVIRONMENTS, index);
  const silent = 3 + Math.floor(random() * 24);
  const nodes = 3 + Math.floor(random() ** 2 * 40);
  const load = 0.25 + random() * 0.55;
  const usage = 0.35 + random() * 0.4;
  return {
    index,
    id: `01980c2e-7d00-7000-8000-${String(index).padStart(12, "0")}`,
    name: `${pick(PURPOSES, Math.floor(index / 2))}-${environment.slice(0, 4)}-${String(index + 1).padStart(2, "0")}`,
    kind,
    version: pick(kind.versions, index >> 1),
    region: pick(kind.regions, index >> 2),
    environment,
    team: pick(["team-shop", "team-data", "team-platform"], index),
    condition,
    nodes,
    load: LOADS[condition] ?? load,
    usage: condition === "no-usage" ? null : usage,
    silentSeconds: SILENT_SECONDS[condition] ?? silent,
  };
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("an empty list has nothing to pick");
  return item;
}
