import { expect, test } from "vitest";
import { summarize } from "./cluster-history.ts";

const AT = Date.parse("2026-03-01T10:00:00Z");
const window = { sinceMs: AT, nowMs: AT + 100_000 };

type State = "never-seen" | "online" | "late" | "offline";
/** Changes in the order of time, as `second from to`. */
const changes = (...texts: readonly string[]) =>
  texts
    .map((text) => {
      const [second = "", from = "", to = ""] = text.split(" ");
      return { type: "connectivity", from_state: from, to_state: to, reason: "r", at_ms: AT + Number(second) * 1_000 };
    })
    .reverse();

test.each<[string, State, ReturnType<typeof changes>, number | null, number]>([
  ["nothing changed and it is there", "online", [], 1, 0],
  ["nothing changed and it is away", "offline", [], 0, 0],
  ["it was never heard of", "never-seen", [], null, 0],
  ["it came at last", "online", changes("75 never-seen online"), 1, 0],
  ["late is not away", "late", changes("50 online late"), 1, 0],
  ["it went away", "offline", changes("40 online late", "60 late offline"), 0.6, 1],
  ["it came back", "online", changes("20 late offline", "45 offline online"), 0.75, 1],
  [
    "it went twice after it had come",
    "offline",
    changes("20 never-seen online", "40 online offline", "60 offline online", "80 online offline"),
    0.5,
    2,
  ],
])("%s (%s): uptime and outages", (_, state, transitions, uptime, outages) => {
  expect(summarize(transitions, state, window)).toMatchObject({ uptime, outages });
});

test("changes of health are told and count for nothing", () => {
  const health = { type: "health", from_state: null, to_state: "degraded", reason: "reported", at_ms: AT + 9_000 };
  const nothing = { ...health, to_state: "unknown" };
  expect(summarize([health, nothing], "online", window)).toEqual({
    since: "2026-03-01T10:00:00.000Z",
    uptime: 1,
    outages: 0,
    transitions: [{ at: "2026-03-01T10:00:09.000Z", type: "health", from: null, to: "degraded", reason: "reported" }],
  });
});

test("the newest hundred changes are told, all are counted", () => {
  const many = Array.from({ length: 150 }, (_, at) => [`${at / 2} online offline`, `${at / 2} offline online`]).flat();
  const { transitions, outages } = summarize(changes(...many), "online", window);
  expect([transitions.length, outages, transitions[0]?.to]).toEqual([100, 150, "online"]);
});
