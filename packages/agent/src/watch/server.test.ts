import type { KubeConnection } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { createApiHealth } from "./api-health.ts";
import { readFingerprint } from "./read-fingerprint.ts";
import { createServerVersions } from "./server-versions.ts";

const SIGNAL = new AbortController().signal;

/** A connection that answers each path from a table; an error is thrown. */
function connection(answers: Readonly<Record<string, unknown>>): KubeConnection {
  const answer = async (path: string): Promise<unknown> => {
    const value = answers[path];
    if (value instanceof Error) throw value;
    return value;
  };
  return {
    server: "https://api",
    context: "test",
    getJson: answer,
    getText: async (path) => String(await answer(path)),
    streamLines: () => Promise.reject(new Error("no stream")),
    getList: () => Promise.reject(new Error("no list")),
    close: () => {},
  };
}

const failure = (code: PlimsollError["code"]) =>
  new PlimsollError(code, { server: "https://api", status: 500, reason: "etcd" });

describe("the version of a cluster", () => {
  test("is every one that answered within ten minutes", async () => {
    let now = 0;
    const answers: Record<string, unknown> = { "/version": { gitVersion: "v1.30.1" } };
    const versions = createServerVersions(connection(answers), () => now);
    expect(versions.reading()).toMatchObject({ known: false });
    expect(versions.state()).toMatchObject({ state: "unknown" });
    await versions.ask(SIGNAL);
    answers["/version"] = { gitVersion: "v1.29.9" };
    now = 300_000;
    await versions.ask(SIGNAL);
    expect(versions.reading()).toMatchObject({ known: true, value: ["v1.29.9", "v1.30.1"] });
    now = 700_000;
    await versions.ask(SIGNAL);
    expect(versions.reading()).toMatchObject({ known: true, value: ["v1.29.9"] });
  });

  test("stays, marked as stale, while it cannot be asked for", async () => {
    let now = 0;
    const answers: Record<string, unknown> = { "/version": { gitVersion: "v1.30.1" } };
    const versions = createServerVersions(connection(answers), () => now);
    await versions.ask(SIGNAL);
    answers["/version"] = failure("cluster_unreachable");
    now = 3_600_000;
    await versions.ask(SIGNAL);
    expect(versions.reading()).toMatchObject({ known: true, value: ["v1.30.1"] });
    expect(versions.state()).toMatchObject({ state: "stale", errorCode: "cluster_unreachable", observedAtMs: 0 });
  });

  test("is unreadable where the answer names none", async () => {
    const versions = createServerVersions(connection({ "/version": { hello: 1 } }), () => 0);
    await versions.ask(SIGNAL);
    expect(versions.state()).toMatchObject({ state: "unreadable", errorCode: "api_answer_invalid" });
  });
});

describe("a cluster's API", () => {
  test("is unhealthy only after it failed for thirty seconds, and healthy again after thirty without a fault", async () => {
    let now = 0;
    const answers: Record<string, unknown> = { "/readyz": "ok" };
    const health = createApiHealth(connection(answers), () => now);
    const seen: (string | null)[] = [];
    for (const [atMs, answer] of [
      [0, "ok"],
      [10_000, failure("api_error")],
      [39_999, failure("api_error")],
      [40_000, failure("api_error")],
      [50_000, "ok"],
      [60_000, failure("api_error")],
      [70_000, "ok"],
      [100_000, "ok"],
    ] as const) {
      now = atMs;
      answers["/readyz"] = answer;
      await health.ask(SIGNAL);
      seen.push(health.unhealthy === null ? null : "unhealthy");
    }
    expect(seen).toEqual([null, null, null, "unhealthy", "unhealthy", "unhealthy", "unhealthy", null]);
  });

  test.each([
    ["nobody may ask", { "/readyz": failure("cluster_forbidden"), "/healthz": failure("cluster_forbidden") }],
    ["it cannot be reached: that says nothing about it", { "/readyz": failure("cluster_unreachable") }],
  ])("counts as healthy where %s", async (_, answers) => {
    let now = 0;
    const health = createApiHealth(connection(answers), () => now);
    for (; now <= 120_000; now += 30_000) await health.ask(SIGNAL);
    expect(health.unhealthy).toBeNull();
  });

  test("is asked at /healthz where /readyz is not served", async () => {
    let now = 0;
    const health = createApiHealth(
      connection({ "/readyz": failure("api_missing"), "/healthz": failure("api_error") }),
      () => now,
    );
    for (; now <= 60_000; now += 30_000) await health.ask(SIGNAL);
    expect(health.unhealthy).toContain("/healthz");
  });
});

test("the fingerprint of a cluster is the UID of its namespace kube-system, or nothing", async () => {
  const list = (items: unknown[]) => connection({ "/api/v1/namespaces": { items } });
  expect(await readFingerprint(list([{ metadata: { uid: "u-1" } }]), SIGNAL)).toBe("u-1");
  await expect(readFingerprint(list([]), SIGNAL)).rejects.toMatchObject({ code: "api_answer_invalid" });
});
