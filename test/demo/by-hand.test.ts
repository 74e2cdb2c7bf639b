/**
 * A hub set up by hand, command by command as the guide tells: hub, join, agent, add, and what they answer; against
 * simulated clusters.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterList, ClusterView } from "@plimsoll/contracts/rest";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { until } from "../fleet/until.ts";
import { runCli } from "../scan/run-cli.ts";
import { type Service, startService } from "./service-process.ts";

const room = mkdtempSync(join(tmpdir(), "plimsoll-by-hand-"));
const data = join(room, "hub");
const kubeconfig = join(room, "kubeconfig");
/** Commands on one machine find the hub by its data folder: no address and no token is given anywhere below. */
const env = { PLIMSOLL_DATA: data, XDG_STATE_HOME: join(room, "state"), HOME: room };
const HUB = ["hub", "--listen", "127.0.0.1:0", "--grpc", "127.0.0.1:0"];

let simulator: Simulator;
let hub: Service;
let url = "";
let agent: Service | undefined;
let [pushed, pulled] = ["", ""];

beforeAll(async () => {
  simulator = await startSimulator({ clusters: 2, sickness: false });
  writeFileSync(kubeconfig, simulator.kubeconfig());
  [pushed, pulled] = simulator.clusters.map(({ name }) => name) as [string, string];
  hub = startService(HUB, env);
  const text = await hub.printed(/Ctrl-C stops the hub/);
  url = /^Plimsoll hub at (\S+)$/m.exec(text)?.[1] ?? "";
  expect(text).toContain(`open     ${url}/#token=`);
  expect(text).toContain(`data     ${data}`);
});
afterAll(async () => {
  agent?.kill();
  hub?.kill();
  await simulator?.stop();
  rmSync(room, { recursive: true, force: true });
});

const ask = async (...args: string[]) => runCli(args, env);
async function clusters(): Promise<readonly ClusterView[]> {
  const { stdout } = await ask("get", "clusters", "-o", "json");
  return (JSON.parse(stdout) as ClusterList).items;
}
const cluster = async (name: string) => (await clusters()).find((one) => one.name === name);

describe("a hub by hand", () => {
  test("has no cluster at first, and says how to let one in", async () => {
    expect(await ask("get", "clusters")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("plimsoll join NAME"),
    });
  });

  test("join prints a command that lets an agent in, and a manifest", async () => {
    const joined = await ask("join", pushed, "--label", "env=prod", "cost-center=CC-7");
    expect([joined.code, joined.stderr]).toEqual([0, ""]);
    const kinds = parseAllDocuments(joined.stdout).map((document) => document.toJS()?.kind);
    expect(kinds).toEqual(expect.arrayContaining(["ServiceAccount", "Deployment"]));
    const command = /plimsoll (agent .+)$/m.exec(joined.stdout)?.[1]?.split(" ") ?? [];
    agent = startService([...command, "--kubeconfig", kubeconfig, "--context", pushed], env);
    await agent.printed(/"event":"joined"/);
    const seen = await until(
      "reported",
      () => cluster(pushed),
      (one) => one?.watermarks != null && one.cost !== null,
    );
    expect(seen).toMatchObject({ mode: "push", record: { cost_center: "CC-7", environment: "production" } });
  });

  test("add lets the hub read a cluster itself", async () => {
    const added = await ask("add", "--kubeconfig", kubeconfig, "--context", pulled);
    expect(added.stderr).toBe("");
    expect(added.stdout).toContain(`Added ${pulled} (`);
    const seen = await until(
      "read",
      () => cluster(pulled),
      (one) => one?.watermarks != null && one.cost !== null,
    );
    expect(seen?.mode).toBe("pull");
  });

  test("describe, top and cost answer about both", async () => {
    for (const name of [pushed, pulled]) {
      const described = await ask("describe", "cluster", name);
      expect([described.code, described.stderr]).toEqual([0, ""]);
      const source = name === pushed ? "agent" : "its API";
      expect(described.stdout).toMatch(new RegExp(`k8s_version +\\d+ (s|min) +${source}: version +v1\\.`));
      expect(described.stdout).toMatch(/connectivity: never-seen → online +a beat came/);
    }
    for (const what of ["clusters", "nodes", "namespaces"]) {
      const top = await ask("top", what);
      expect([top.code, top.stderr], what).toEqual([0, ""]);
      expect(top.stdout, what).toContain(pushed);
    }
    const cost = await until(
      "both priced",
      () => ask("cost", "--by", "cluster", "--window", "24h"),
      ({ stdout }) => stdout.includes(pushed) && stdout.includes(pulled),
    );
    expect(cost.stdout).toMatch(/^SUM +.* 100\.0%/m);
  });

  test("a name or id that nobody has is told in the hub's words", async () => {
    const answer = await ask("describe", "cluster", "nobody");
    expect([answer.code, answer.stdout]).toEqual([1, ""]);
    expect(answer.stderr).toMatch(/^error cluster_unknown: No cluster has the id or name nobody\n/);
  });

  test("a second hub is refused: on the same data folder, and on the same address", async () => {
    const sameData = await ask(...HUB);
    expect(sameData.code).toBe(1);
    expect(sameData.stderr).toMatch(/^error data_dir_in_use: /m);
    const listen = ["--listen", new URL(url).host, "--grpc", "127.0.0.1:0"];
    const sameAddress = await ask("hub", "--data", join(room, "other"), ...listen);
    expect(sameAddress.code).toBe(1);
    expect(sameAddress.stderr).toMatch(/^error address_in_use: /m);
  });

  test("a wrong token says where the right one is", async () => {
    const answer = await runCli(["get", "clusters", "--admin-token", "pla1.wrong"], env);
    expect(answer.stderr).toMatch(/^error hub_token_wrong: .+\n {2}→ .*admin-token/);
  });

  test("Ctrl-C ends agent and hub cleanly, and the hub is said to be gone", async () => {
    expect(await agent?.stop()).toBe(0);
    expect(await hub.stop("SIGTERM")).toBe(0);
    expect(existsSync(join(data, "hub.json"))).toBe(false);
    expect((await ask("get", "clusters")).stderr).toContain("error hub_not_named: ");
    const named = await runCli(["get", "clusters", "--hub", url, "--admin-token", "x"], env);
    expect(named.stderr).toMatch(/^error hub_unreachable: .*connection refused/);
  });

  test("started again it still knows its clusters, and shows no link with a token", async () => {
    hub = startService(HUB, env);
    const text = await hub.printed(/Ctrl-C stops the hub/);
    expect(text).not.toContain("#token=");
    expect(text).toContain(`${data}/admin-token`);
    expect((await clusters()).map(({ name }) => name).sort()).toEqual([pushed, pulled].sort());
    expect(await hub.stop()).toBe(0);
  });
});
