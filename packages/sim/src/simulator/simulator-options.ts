import { PlimsollError } from "@plimsoll/contracts";
import { realClock, type SimulatorClock } from "../time/clock.ts";
import { HOUR } from "../time/seconds.ts";

/** How a simulated fleet is started. */
export interface SimulatorOptions {
  /** How many clusters, 1 to 1,000. */
  readonly clusters: number;
  /** The same seed and start give the same fleet. Default 1. */
  readonly seed?: number | string;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on; default 0, any free one. */
  readonly port?: number;
  /** One token for all clusters; default: each its own, made from the seed. "": nobody needs to sign in. */
  readonly token?: string;
  /** Do pods come and go? Default true. */
  readonly churn?: boolean;
  /** Are some clusters sick? Default true. */
  readonly sickness?: boolean;
  /** Usage follows the day and has noise (`daily`, default), or holds still for ever (`flat`). */
  readonly load?: "daily" | "flat";
  /** Pods of a cluster at the day's peak, about; default 150. */
  readonly podsPerCluster?: number;
  /** Where the simulated time begins; default the clock's present. */
  readonly startAt?: Date;
  /** How often the fleet catches up with the clock; default 1,000. 0: only `advance` and `step` move the time. */
  readonly tickMs?: number;
  /** Default the machine's. */
  readonly clock?: SimulatorClock;
  /** How often watches that ask for bookmarks get one; default 60. */
  readonly bookmarkSeconds?: number;
  /** How long past revisions can be listed and watched from; default 300, as etcd's usual compaction. */
  readonly historySeconds?: number;
  /** How long the truth of ended pods and nodes is kept; default two hours. */
  readonly truthSeconds?: number;
}

/** Options with everything filled in that was left out. */
export type CompleteOptions = Required<Omit<SimulatorOptions, "token">> & Pick<SimulatorOptions, "token">;

/** Fills in the defaults; fails with option_invalid, which names the option, its value and what it takes. */
export function completeOptions(options: SimulatorOptions): CompleteOptions {
  refuseBadOptions(options);
  const clock = options.clock ?? realClock;
  return {
    seed: 1,
    host: "127.0.0.1",
    port: 0,
    churn: true,
    sickness: true,
    load: "daily",
    podsPerCluster: 150,
    startAt: new Date(clock.now()),
    tickMs: 1_000,
    bookmarkSeconds: 60,
    historySeconds: 300,
    truthSeconds: 2 * HOUR,
    ...options,
    clock,
  };
}

/** How the simulator is started by hand: errors point to its help. */
export const SIMULATOR_COMMAND = "node packages/sim/bin/simulator.js";

const RANGES = {
  clusters: [1, 1_000],
  port: [0, 65_535],
  podsPerCluster: [20, 20_000],
  tickMs: [0, 3_600_000],
  bookmarkSeconds: [0.01, 3_600],
  historySeconds: [1, 86_400],
  truthSeconds: [60, 31_536_000],
} as const;

function refuseBadOptions(options: SimulatorOptions): void {
  for (const option of Object.keys(RANGES)) {
    if (!isRanged(option)) continue;
    const [least, most] = RANGES[option];
    const value = options[option];
    const whole = option === "bookmarkSeconds" || Number.isInteger(value);
    if (value !== undefined && !(whole && value >= least && value <= most)) {
      throw invalid(option, String(value), `a whole number from ${least} to ${most}`);
    }
  }
  if (options.startAt !== undefined && Number.isNaN(options.startAt.getTime())) {
    throw invalid("startAt", "Invalid Date", "a date");
  }
}

function isRanged(option: string): option is keyof typeof RANGES {
  return Object.hasOwn(RANGES, option);
}

function invalid(option: string, value: string, expected: string): PlimsollError {
  return new PlimsollError("option_invalid", { option, value, expected, command: SIMULATOR_COMMAND });
}
