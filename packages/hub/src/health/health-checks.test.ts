import { PlimsollError } from "@plimsoll/contracts";
import { expect, test } from "vitest";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { runChecks } from "./health-checks.ts";

const clock = createManualClock();

test("all is well when every check is", async () => {
  const answer = await runChecks({ a: () => "fine", b: async () => "too" }, clock);
  expect(answer).toEqual({
    status: "ok",
    checks: [
      { name: "a", ok: true, message: "fine" },
      { name: "b", ok: true, message: "too" },
    ],
  });
});

test("one that fails says why, and the others are still asked", async () => {
  const failing = () => {
    throw new PlimsollError("store_unavailable", { store: "sqlite", reason: "disk full" });
  };
  const broken = () => Promise.reject(new Error("boom"));
  expect(await runChecks({ failing, broken, fine: () => "yes" }, clock)).toMatchObject({
    status: "failing",
    checks: [
      { name: "failing", ok: false, message: "The control store sqlite does not answer: disk full" },
      { name: "broken", ok: false, message: "boom" },
      { name: "fine", ok: true },
    ],
  });
});

test("one that does not answer fails after two seconds", async () => {
  const answer = runChecks({ stuck: () => new Promise<string>(() => {}) }, clock);
  clock.advance(2_000);
  expect(await answer).toMatchObject({ checks: [{ ok: false, message: "it does not answer" }] });
});
