import type { ClusterFacts, FleetTotals } from "@plimsoll/contracts";
import { PlimsollError, reportError } from "@plimsoll/contracts";
import { type ClusterResult, reportCluster } from "@plimsoll/core";
import { describe, expect, test } from "vitest";
import { sampleReport } from "../render/sample-report.ts";
import { buildReport } from "./build-report.ts";
import type { ClusterSource } from "./cluster-source.ts";
import { mapBounded } from "./map-bounded.ts";
import { type ClusterReading, readFleet } from "./read-fleet.ts";
import { scanExitCode } from "./scan-exit-code.ts";
import { scanProgress } from "./scan-progress.ts";

const AS_OF = "2026-11-30T09:00:00Z";
const SILENT = scanProgress({ write: () => {}, isTerminal: false, columns: 80, colours: false }, 0);

/** Facts of a cluster of which only the namespaces are known: enough for a row and a fingerprint. */
function facts(name: string, fingerprint?: string, asOf = AS_OF): ClusterFacts {
  const error = reportError(new PlimsollError("nodes_missing", { cluster: name }));
  const unknown = { known: false, error } as const;
  const namespaces = fingerprint === undefined ? [] : [{ metadata: { name: "kube-system", uid: fingerprint } }];
  return {
    name,
    source: { kind: "api", location: `https://${name}` },
    asOf,
    serverVersions: { known: true, value: ["v1.33.1"], observedAt: asOf },
    objects: {
      nodes: unknown,
      namespaces: { known: true, value: namespaces, observedAt: asOf },
      pods: unknown,
      persistentvolumeclaims: unknown,
      persistentvolumes: unknown,
      services: unknown,
      resourcequotas: unknown,
      deployments: unknown,
      replicasets: unknown,
      statefulsets: unknown,
      daemonsets: unknown,
      jobs: unknown,
      cronjobs: unknown,
    },
    usage: unknown,
    unused: [],
  };
}

function source(name: string, read: ClusterSource["read"], deadlineMs?: number): ClusterSource {
  return { name, endpoint: `https://${name}`, deadlineMs, read };
}

const read = (sources: readonly ClusterSource[], signal = new AbortController().signal, concurrency = 16) =>
  readFleet(sources, { concurrency, signal, progress: SILENT }, (taken) => reportCluster(taken));

const codeOf = (reading: ClusterReading<unknown> | undefined) =>
  reading && "error" in reading ? reading.error.code : undefined;

describe("bounded work", () => {
  test("runs no more than its limit at once and keeps the order", async () => {
    let running = 0;
    let most = 0;
    const results = await mapBounded([3, 1, 2, 5, 4], 2, async (turns) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      running -= 1;
      return turns * 10;
    });
    expect(results).toEqual([30, 10, 20, 50, 40]);
    expect(most).toBe(2);
  });

  test("nothing to do is done", async () => expect(await mapBounded([], 4, async () => 1)).toEqual([]));
});

describe("reading a fleet", () => {
  test("one cluster that fails is one reading with its error, the others are read", async () => {
    const readings = await read([
      source("good", async () => facts("good", "uid-1")),
      source("dead", () =>
        Promise.reject(new PlimsollError("cluster_unreachable", { server: "x", reason: "refused" })),
      ),
      source("defect", () => Promise.reject(new TypeError("x is not a function"))),
    ]);
    expect(readings.map(codeOf)).toEqual([undefined, "cluster_unreachable", "internal"]);
  });

  test("one that hangs, and ignores its signal, is given up soon after its deadline", async () => {
    const [hanging, good] = await read([
      source("hanging", () => new Promise(() => {}), 5),
      source("good", async () => facts("good"), 5),
    ]);
    expect(codeOf(hanging)).toBe("cluster_timeout");
    expect(codeOf(good)).toBeUndefined();
  });

  test("an interrupt ends every reading at once, keeps what was read and starts nothing new", async () => {
    const stop = new AbortController();
    let started = 0;
    const readings = await read(
      [
        source("done", async () => facts("done")),
        source("hanging", () => {
          started += 1;
          queueMicrotask(() => stop.abort(130));
          return new Promise(() => {});
        }),
        source("waiting", async () => {
          started += 1;
          return facts("waiting");
        }),
      ],
      stop.signal,
      1,
    );
    expect(readings.map(codeOf)).toEqual([undefined, "scan_interrupted", "scan_interrupted"]);
    expect(started).toBe(1);
  });
});

describe("one cluster under several names", () => {
  const good = (name: string): ClusterReading<ClusterResult> => ({
    source: source(name, async () => facts(name)),
    result: { ...reportCluster(facts(name, "u1", AS_OF)), errors: [] },
  });
  const partial = (name: string): ClusterReading<ClusterResult> => ({
    source: source(name, async () => facts(name)),
    result: reportCluster(facts(name, "u1")),
  });

  test("is one row, and an error of the reading that was dropped makes no partial answer", () => {
    const report = buildReport([partial("poor"), good("rich")], AS_OF);
    expect(report.clusters.map(({ inventory }) => inventory.cluster_name)).toEqual(["rich"]);
    expect(report.errors).toEqual([]);
  });
});

test("a cluster that gave nothing is a row with its error", async () => {
  const dead = () => Promise.reject(new PlimsollError("cluster_unauthorized", { server: "s", context: "dead" }));
  const report = buildReport(await read([source("dead", dead)]), AS_OF);
  expect(report.clusters.map(({ inventory }) => inventory.cluster_name)).toEqual(["dead"]);
  expect(report.clusters[0]?.capacity).toBeNull();
  expect(report.errors).toMatchObject([{ cluster: "dead", code: "cluster_unauthorized" }]);
});

describe("exit code of a scan", () => {
  const findings = { info: 1, warning: 1, critical: 0 };
  const fleet = (given: Partial<FleetTotals>) => ({ ...sampleReport().fleet, findings, ...given });
  const whole = sampleReport({ errors: [], fleet: fleet({}) });
  test.each([
    ["findings without --fail-on", whole, undefined, 0],
    ["a finding of that severity", whole, "warning", 3],
    ["a finding worse than that", whole, "info", 3],
    ["only milder findings", whole, "critical", 0],
    ["something not read, whatever was found", sampleReport({ fleet: fleet({}) }), "info", 4],
    ["nothing read at all", sampleReport({ fleet: fleet({ clustersRead: 0 }) }), undefined, 1],
  ] as const)("%s", (_, report, failOn, code) => expect(scanExitCode(report, failOn)).toBe(code));
});

describe("progress", () => {
  const heard = (isTerminal: boolean) => {
    const texts: string[] = [];
    let time = 0;
    const sink = { write: (text: string) => void texts.push(text), isTerminal, columns: 60, colours: false };
    const progress = scanProgress(sink, 2, () => time++ * 1000);
    progress.started("prod\u001b[2J");
    progress.step("prod\u001b[2J", "3,000 pods");
    progress.finished("prod\u001b[2J", undefined);
    progress.started("x".repeat(200));
    progress.finished("x".repeat(200), { code: "cluster_timeout", message: "", remedy: "" });
    progress.ended();
    return texts;
  };

  test("is silent where nobody looks", () => expect(heard(false)).toEqual([]));

  test("is one line on a terminal, redrawn, never wider than it, gone at the end", () => {
    const lines = heard(true).map((text) => text.replace("\r\u001b[2K", ""));
    expect(lines).toContain("Read 0 of 2 clusters · prod�[2J: 3,000 pods");
    expect(lines.at(-2)).toBe("Read 2 of 2 clusters, 1 failed");
    expect(lines.at(-1)).toBe("");
    for (const line of lines) expect(line.length).toBeLessThan(60);
  });
});
