import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { ClusterList, ClusterView, CostAnswer, JoinTokenAnswer, Overview } from "@plimsoll/contracts/rest";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import type { HubSettings } from "./config/hub-config.ts";
import { silentLog } from "./log/hub-log.ts";
import { startHub } from "./main.ts";
import { startTestHub, type TestHub } from "./testing/test-hub.ts";

const hubs: TestHub[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.remove();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});
async function start(settings: Partial<HubSettings> = {}): Promise<TestHub> {
  const hub = await startTestHub(settings);
  hubs.push(hub);
  return hub;
}

test("a new hub answers every question, is ready, and says how to get in", async () => {
  const hub = await start();
  expect(hub).toMatchObject({ firstStart: true, caFile: null, adminLink: `${hub.url}/#token=${hub.adminToken}` });
  expect(hub.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await hub.get("/api/v1/clusters", ClusterList)).toMatchObject({ items: [], errors: [], next: null, total: 0 });
  expect(await hub.get("/api/v1/overview", Overview)).toMatchObject({ clusters: { total: 0 }, simulated: false });
  expect(await hub.get("/api/v1/cost", CostAnswer)).toMatchObject({ items: [], sum: "0" });
  expect((await hub.ask("/readyz")).body).toMatchObject({
    status: "ok",
    checks: [{ name: "store" }, { name: "registry" }, { name: "agents" }, { name: "ingest" }],
  });
  expect((await hub.ask("/livez")).body).toMatchObject({ status: "ok" });
  expect((await hub.ask("/metrics")).text).toContain("plimsoll_http_request_duration_seconds");
});

test("a hub that starts again keeps token, CA and clusters, and says that it is not its first start", async () => {
  const first = await start();
  const joined = await first.join("prod-eu");
  await first.stop();
  const again = await start({ dataDir: first.dataDir });
  expect(again).toMatchObject({ firstStart: false, adminToken: first.adminToken });
  expect(await again.get("/api/v1/clusters/prod-eu", ClusterView)).toMatchObject({ id: joined.clusterId });
  expect((await again.join("prod-us")).caBundle).toBe(joined.caBundle);
});

test("the data folder and what is secret in it are the owner's alone", async () => {
  const hub = await start();
  expect(statSync(hub.dataDir).mode & 0o777).toBe(0o700);
  for (const file of ["admin-token", "sealing-key"]) expect(statSync(join(hub.dataDir, file)).mode & 0o777).toBe(0o600);
  for (const name of readdirSync(hub.dataDir)) {
    if (name === "admin-token" || statSync(join(hub.dataDir, name)).isDirectory()) continue;
    expect(readFileSync(join(hub.dataDir, name)).includes(hub.adminToken ?? "")).toBe(false);
  }
});

test("several hubs live in one process, each with its own figures", async () => {
  const [one, two] = [await start(), await start()];
  await one.join("prod-eu");
  expect((await one.get("/api/v1/clusters", ClusterList)).total).toBe(1);
  expect((await two.get("/api/v1/clusters", ClusterList)).total).toBe(0);
  expect((await two.ask("/api/v1/clusters", { token: one.adminToken })).status).toBe(401);
});

test("a hub of an invented fleet says so of every cluster", async () => {
  const hub = await start({ simulated: true });
  await hub.join("prod-eu");
  expect(await hub.get("/api/v1/clusters/prod-eu", ClusterView)).toMatchObject({ simulated: true });
  expect(await hub.get("/api/v1/overview", Overview)).toMatchObject({ simulated: true });
});

describe("what a join token answers", () => {
  test("is one command, and a manifest of whole Kubernetes objects that reads and nothing else", async () => {
    const hub = await start();
    const order = { method: "POST", body: { clusterName: "prod-eu", ttlSeconds: 600 } };
    const answer = JoinTokenAnswer.parse((await hub.ask("/api/v1/join-tokens", order)).body);
    expect(answer.command).toBe(`npx plimsoll agent --hub ${hub.url} --token ${answer.token}`);
    const Kinds = z.array(
      z.object({ kind: z.string(), rules: z.array(z.object({ verbs: z.array(z.string()) })).optional() }),
    );
    const documents = answer.manifest.split(/^---$/m).map((text): unknown => parse(text));
    const objects = Kinds.parse(documents);
    expect(objects.map(({ kind }) => kind)).toEqual([
      "Namespace",
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "Secret",
      "PersistentVolumeClaim",
      "Deployment",
    ]);
    const verbs = new Set(objects.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.verbs)));
    expect([...verbs].sort()).toEqual(["get", "list", "watch"]);
    expect(answer.manifest).toContain(answer.token);
  });
});

describe("TLS on the REST port", () => {
  test("by the hub's own CA shows the chain that join tokens pin", async () => {
    const hub = await start({ tls: "own" });
    const url = new URL(hub.url);
    expect(url.protocol).toBe("https:");
    const ca = readFileSync(hub.caFile ?? "", "utf8");
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${hub.url}/readyz`, { ca }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject).end();
    });
    expect(status).toBe(200);
    const chain = await new Promise<string[]>((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), rejectUnauthorized: false }, () => {
        const leaf = socket.getPeerCertificate(true);
        resolve([leaf.subject.CN, leaf.issuerCertificate.subject.CN].map(String));
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(chain).toEqual(["Plimsoll hub", "Plimsoll hub CA"]);
  });

  test("is off on a loopback address unless it is asked for", async () => {
    expect((await start({ tls: "auto" })).caFile).toBeNull();
  });
});

describe("a start that cannot work says why, and leaves nothing running", () => {
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), "plimsoll-main-"));
    folders.push(path);
    return path;
  };

  test("every fault of the settings at once", async () => {
    const settings = {
      dataDir: "",
      port: 70_000,
      beatMs: 5,
      unknownAfterBeats: 2,
      publicUrl: "hub",
      pageDir: "/nowhere",
    };
    const attempt = startHub(settings, { log: silentLog });
    await expect(attempt).rejects.toMatchObject({ code: "hub_config_invalid" });
    const message = await attempt.catch((error: unknown) => String(error));
    for (const part of ["data folder", "70000", "the beat", "missed beats", "public URL hub", "/nowhere"]) {
      expect(message).toContain(part);
    }
  });

  test("a second hub on the same folder", async () => {
    const hub = await start();
    await expect(startTestHub({ dataDir: hub.dataDir })).rejects.toMatchObject({
      code: "data_dir_in_use",
      fields: { pid: String(process.pid) },
    });
    expect((await hub.ask("/livez")).status).toBe(200);
  });

  test.each(["port", "controlPort"] as const)("a %s that is taken", async (option) => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, "127.0.0.1", () => {
        const address = taken.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const dataDir = folder();
    await expect(startTestHub({ dataDir, [option]: port })).rejects.toMatchObject({
      code: "address_in_use",
      fields: { address: `127.0.0.1:${port}` },
    });
    // The folder is free again: the same settings work on another port.
    const hub = await start({ dataDir });
    expect((await hub.ask("/livez")).status).toBe(200);
    await new Promise((resolve) => taken.close(resolve));
  });

  test("an address that is not this machine's", async () => {
    const dataDir = folder();
    await expect(startTestHub({ dataDir, host: "192.0.2.1" })).rejects.toMatchObject({ code: "address_unusable" });
  });

  test("a folder that is a file", async () => {
    const path = join(folder(), "file");
    writeFileSync(path, "");
    await expect(startTestHub({ dataDir: path })).rejects.toMatchObject({ code: "data_dir_unusable" });
  });

  test("another sealing key than before", async () => {
    const hub = await start();
    await hub.stop();
    const sealingKey = Buffer.alloc(32, 9).toString("base64");
    await expect(startTestHub({ dataDir: hub.dataDir, sealingKey })).rejects.toMatchObject({
      code: "sealing_key_wrong",
    });
  });
});

test("stopping twice is stopping once, and a stopped hub answers nobody", async () => {
  const hub = await start();
  await Promise.all([hub.stop(), hub.stop()]);
  await expect(fetch(`${hub.url}/livez`)).rejects.toThrow();
});
