/**
 * `npm run demo` as a newcomer starts it: figures of every cluster within 30 s of the printed address, equal to sums over
 * the simulated clusters' own objects; one Ctrl-C ends it all and leaves nothing behind.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterList, type ClusterView, Overview } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../packages/ui/dev/launch-chromium.ts";
import { expectClusterRows, expectOverview, read } from "../browser/figures-on-page.ts";
import { freezeAnswers, openPage } from "../browser/page-driver.ts";
import { until } from "../fleet/until.ts";
import { runCli } from "../scan/run-cli.ts";
import { type DemoProcess, type Printed, startDemo } from "./demo-process.ts";
import { simulatedClusters } from "./simulated-objects.ts";

const CLUSTERS = 20;
const DEADLINE_SECONDS = 30;
/** A machine that others use too may need longer; beyond this it hangs. */
const HANGS_MS = 240_000;

let demo: DemoProcess;
let printed: Printed;
let completeAfter = Number.POSITIVE_INFINITY;
const room = mkdtempSync(join(tmpdir(), "plimsoll-demo-test-"));

beforeAll(async () => {
  demo = startDemo(["--port", "0"], room);
  printed = await demo.started;
  await until("all clusters with figures", list, ({ items }) => items.filter(isComplete).length === CLUSTERS, HANGS_MS);
  completeAfter = demo.secondsOfItsOwn();
}, HANGS_MS + 60_000);
afterAll(() => {
  demo?.kill();
  rmSync(room, { recursive: true, force: true });
});

describe("the demo", () => {
  test("says that its clusters are simulated, and where to look", () => {
    expect(demo.out()).toContain("20 simulated clusters. None of them is real, and no figure is.");
    expect(printed.link).toBe(`${printed.url}/#token=${printed.token}`);
    expect(demo.err()).not.toMatch(/error|undefined/);
  });

  test(`shows version, watermarks and hourly cost of every cluster within ${DEADLINE_SECONDS} s`, () => {
    console.log(`demo: complete after ${completeAfter.toFixed(1)} s of its own`);
    expect(completeAfter).toBeLessThan(DEADLINE_SECONDS);
  });

  test("marks every answer as simulated", async () => {
    expect((await list()).items.every(({ simulated }) => simulated)).toBe(true);
    expect((await overview()).simulated).toBe(true);
  });

  test("knows of each cluster what its own objects say", async () => {
    const clusters = simulatedClusters(printed.kubeconfig);
    expect(clusters).toHaveLength(CLUSTERS);
    for (const { name, sums } of clusters) {
      // The fleet lives: nodes come and go, so both sides are read until they are of one moment.
      const [seen, truth] = await until(
        `${name} equal to its objects`,
        async () => [await cluster(name), await sums()] as const,
        ([{ record }, { nodes }]) => record.node_count === nodes,
      );
      const virtual = Number(seen.record.node_count_virtual);
      expect(seen.record.k8s_version, name).toBe(truth.version);
      if (virtual > 0) continue; // its capacity is no machine's, and in no sum
      expect([seen.record.total_cpu_cores, seen.record.total_memory_gb], name).toEqual([truth.cores, truth.memoryGib]);
    }
  });

  test("charges what the nodes' machines cost by the default prices", async () => {
    let compared = 0;
    for (const { name, sums } of simulatedClusters(printed.kubeconfig)) {
      const { record } = await cluster(name);
      if (record.node_count_spot !== 0 || record.node_count_virtual !== 0) continue;
      compared += 1;
      await until(
        `the hourly cost of ${name} equal to its nodes' prices`,
        async () => [Number((await cluster(name)).cost?.total), (await sums()).onDemandPrice] as const,
        ([hourly, price]) => Math.abs(hourly - price) < 1e-6,
      );
    }
    expect(compared).toBeGreaterThanOrEqual(3);
  });

  test("adds up: workloads, idle and system to each cluster's cost, and the clusters to the fleet's", async () => {
    for (const { name, cost } of (await list()).items) {
      if (cost === null) throw new Error(`${name} has no cost`);
      expect(nanos(cost.workloads) + nanos(cost.idle) + nanos(cost.system), name).toBe(nanos(cost.total));
    }
    await until(
      "the fleet's cost equal to the sum of its clusters'",
      async () => [await overview(), await list()] as const,
      ([{ cost }, { items }]) => {
        const sum = items.reduce((total, one) => total + nanos(one.cost?.total ?? "0"), 0n);
        return cost.length === 1 && nanos(cost[0]?.total ?? "0") === sum && cost[0]?.clusters === CLUSTERS;
      },
    );
  });

  test("answers the commands that it prints", async () => {
    const env = { PLIMSOLL_HUB: printed.url, PLIMSOLL_TOKEN: printed.token };
    const answer = await runCli(["get", "clusters"], env);
    // Some simulated clusters are sick on purpose, so the answer may be partial.
    expect([0, 4], answer.stderr).toContain(answer.code);
    expect(answer.stdout).toMatch(/^FLEET 20 /m);
    expect(answer.stdout).toContain("none of them is real");
    const cost = await runCli(["cost", "--by", "cost-center", "-o", "json"], env);
    expect(JSON.parse(cost.stdout).items.length).toBeGreaterThan(3);
  });

  test("shows all clusters in a browser, with the figures of the API", async () => {
    const browser = await launchChromium();
    let answers: ReadonlyMap<string, unknown> = new Map();
    try {
      const { page, faults } = await openPage(browser, printed, "/", {
        prepare: async (context) => {
          answers = await freezeAnswers(context);
        },
      });
      await expectOverview(page, Overview.parse(answers.get("/api/v1/overview")));
      expect(await read(page, ".simulated")).toContain("No figure here is of a real cluster");
      await page.getByRole("link", { name: "Clusters", exact: true }).click();
      await page.locator("table.fleet").waitFor();
      const [asked = ""] = [...answers.keys()].filter((path) => path.startsWith("/api/v1/clusters?"));
      const { items } = ClusterList.parse(answers.get(asked));
      expect(items).toHaveLength(CLUSTERS);
      expect(items.filter(isComplete)).toHaveLength(CLUSTERS);
      await expectClusterRows(page, items);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("refuses to start twice on one port, with a coded error and nothing left", async () => {
    const answer = await runCli(["demo", "--port", new URL(printed.url).port], { TMPDIR: room });
    expect([answer.code, answer.stdout]).toEqual([1, ""]);
    expect(answer.stderr).toMatch(/^error address_in_use: 127\.0\.0\.1:\d+ is in use.*\n {2}→ .*--port.*\n$/);
    expect(demoFolders()).toHaveLength(1);
  });

  test("ends on one Ctrl-C with exit code 0 and leaves nothing behind", async () => {
    const simulated = new URL(simulatedClusters(printed.kubeconfig)[0]?.server ?? "").origin;
    expect(demoFolders()).toHaveLength(1);
    expect(await demo.interrupt()).toEqual({ code: 0, signal: null });
    expect(demo.err()).toMatch(
      /^Stopped\. Hub, 20 agents and the simulated fleet took \d+ MiB of memory at the most\.$/m,
    );
    console.log(/took .*/.exec(demo.err())?.[0]);
    expect(demo.runs()).toBe(false);
    expect(demoFolders()).toEqual([]);
    for (const address of [printed.url, simulated]) await expect(fetch(address)).rejects.toThrow();
  });
});

test(
  "a Ctrl-C while it starts ends it too, with exit code 0 and nothing left",
  async () => {
    const early = startDemo(["--port", "0"], room);
    await early.started;
    expect(await early.interrupt()).toEqual({ code: 0, signal: null });
    expect(demoFolders()).toEqual([]);
  },
  HANGS_MS,
);

/** npm keeps a cache of its own beside. */
function demoFolders(): string[] {
  return readdirSync(room).filter((name) => name.startsWith("plimsoll-"));
}

function isComplete({ record, watermarks, cost }: ClusterView): boolean {
  return typeof record.k8s_version === "string" && watermarks !== null && watermarks.length > 0 && cost !== null;
}

function nanos(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(9, "0"));
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(`${printed.url}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${printed.token}` },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const list = async () => (await ask("clusters?limit=1000")) as ClusterList;
const overview = async () => (await ask("overview")) as Overview;
const cluster = async (name: string) => (await ask(`clusters/${name}`)) as ClusterView;
