import { readFileSync } from "node:fs";
import { NANOS, PlimsollError } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { type InstantNanos, parseInstant } from "./instant.ts";
import { integrate, toNanoHours } from "./integrate.ts";
import { billedDuration, type CheckedInterval, checkInterval, mergeByUid } from "./usage-interval.ts";

interface Lifetime {
  readonly uid?: string;
  readonly nodeAssigned: string;
  readonly terminated: string | null;
}
interface LifetimeVector extends Lifetime {
  readonly name: string;
  readonly pods?: readonly Lifetime[];
  readonly requests?: readonly { from: string; cpu: number }[];
  readonly hours?: string;
  readonly cpu_core_hours?: string;
  readonly error?: string;
  readonly clamped?: boolean;
}
const vectors: { cases: LifetimeVector[] } = JSON.parse(
  readFileSync(new URL("../../../../test/vectors/pod-lifetimes.json", import.meta.url), "utf8"),
);

const at = (clock: string): InstantNanos => parseInstant(`2026-01-31T${clock}Z`, "vector");
const WINDOW = { start: at("08:00:00"), end: at("09:00:00") };

function check({ nodeAssigned, terminated }: Lifetime): CheckedInterval {
  return checkInterval(at(nodeAssigned), terminated === null ? null : at(terminated), "Pod/shop/cart");
}

/** Nano-hours as a decimal text with nine digits at most. */
function decimal(nanoHours: bigint): string {
  const fraction = (nanoHours % NANOS).toString().padStart(9, "0").replace(/0+$/, "");
  return `${nanoHours / NANOS}${fraction === "" ? "" : `.${fraction}`}`;
}

describe("billed in the hour from 08:00", () => {
  test.each(vectors.cases)("$name", (vector) => {
    const checked = (vector.pods ?? [vector]).map((pod) => ({ uid: pod.uid ?? "u", checked: check(pod) }));
    const quarantined = checked.flatMap(({ checked: c }) => (c.status === "quarantined" ? [c.error.code] : []));
    expect(quarantined).toEqual(vector.error ? [vector.error] : []);
    expect(checked.some(({ checked: c }) => c.status === "clamped")).toBe(vector.clamped ?? false);

    const intervals = mergeByUid(
      checked.flatMap(({ uid, checked: c }) => (c.status === "quarantined" ? [] : [{ uid, interval: c.interval }])),
    );
    const billed = [...intervals.values()].reduce((sum, interval) => sum + billedDuration(interval, WINDOW), 0n);
    if (vector.hours !== undefined) expect(decimal(toNanoHours(billed * NANOS))).toBe(vector.hours);

    const changes = vector.requests?.map(({ from, cpu }) => ({ from: at(from), value: BigInt(cpu) * NANOS })) ?? [];
    const cores = [...intervals.values()].reduce((sum, interval) => sum + integrate(changes, interval, WINDOW), 0n);
    if (vector.cpu_core_hours !== undefined) expect(decimal(toNanoHours(cores))).toBe(vector.cpu_core_hours);
  });

  test("a quarantined interval says whose it is, its bounds and by how much", () => {
    const checked = checkInterval(at("08:30:00"), at("08:20:00"), "Pod/shop/cart");
    expect(checked).toMatchObject({ status: "quarantined", error: expect.any(PlimsollError) });
    expect(checked.status === "quarantined" && checked.error.message).toBe(
      "Pod/shop/cart ends at 2026-01-31T08:20:00Z, 600 s before its start 2026-01-31T08:30:00Z",
    );
  });

  test.each([
    ["08:30:05", "08:30:00", "clamped"],
    ["08:30:05.000000001", "08:30:00", "quarantined"],
    ["08:30:00", "08:30:00", "ok"],
  ])("from %s to %s is %s: five seconds are a clock's fault, more is not", (start, end, status) => {
    expect(checkInterval(at(start), at(end), "p").status).toBe(status);
  });
});
