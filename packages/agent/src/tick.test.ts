import { create, DynamicReportSchema } from "@plimsoll/contracts/wire";
import type { ClusterLook } from "@plimsoll/core";
import { describe, expect, test } from "vitest";
import { type Due, type TickParts, tick } from "./tick.ts";

const LOOK = { fingerprint: "f" } as ClusterLook;

/** Parts that only say in which order they were called. */
function parts(news = false): { readonly calls: string[]; readonly parts: TickParts } {
  const calls: string[] = [];
  const note = <T>(name: string, value: T): T => {
    calls.push(name);
    return value;
  };
  return {
    calls,
    parts: {
      readUsage: async () => note("readUsage", undefined),
      askServer: async () => note("askServer", undefined),
      look: () => note("look", LOOK),
      takeSample: () => note("takeSample", undefined),
      isNews: () => news,
      reportOf: () => create(DynamicReportSchema),
      report: () => note("report", undefined),
      flushMeter: () => note("flushMeter", { usage: [], nodes: [], faults: [] }),
      checkpoint: () => ({ podsSeenMs: null, nodesSeenMs: null, usage: [], nodes: [] }),
      keep: async () => note("keep", undefined),
      takeWindows: () => [],
      takeGaps: () => [],
      spool: async () => note("spool", undefined),
    },
  };
}

describe("a tick", () => {
  test.each<[string, Due, boolean, string[]]>([
    [
      "reads, looks, reports, meters; the checkpoint is kept before the rows are spooled",
      { sample: true, report: true, flush: true },
      false,
      ["readUsage", "askServer", "look", "takeSample", "report", "flushMeter", "keep", "spool"],
    ],
    ["only flushes", { sample: false, report: false, flush: true }, false, ["look", "flushMeter", "keep", "spool"]],
    [
      "samples without a report",
      { sample: true, report: false, flush: false },
      false,
      ["readUsage", "askServer", "look", "takeSample"],
    ],
    [
      "reports before it is due when a sample brings news, such as another version",
      { sample: true, report: false, flush: false },
      true,
      ["readUsage", "askServer", "look", "takeSample", "report"],
    ],
  ])("%s", async (_, due, news, calls) => {
    const given = parts(news);
    await tick(given.parts, due);
    expect(given.calls).toEqual(calls);
  });
});
