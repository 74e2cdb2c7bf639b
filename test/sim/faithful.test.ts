import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../testbed/index.ts";

/** The same question to a real API server and to a simulated cluster: the form of both answers must be the same. */
const NAMESPACE = "faithful";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const NAMES = ["p-1", "p-2", "p-3", "p-4", "p-5"];

interface Side {
  readonly server: string;
  readonly token: string;
  readonly ca?: string;
}

let cluster: Cluster;
let simulator: Simulator;
let real: Side;
let simulated: Side;

beforeAll(async () => {
  simulator = await startSimulator({ clusters: 1, seed: 1, churn: false, podsPerCluster: 40 });
  const [one] = simulator.clusters;
  if (one === undefined) throw new Error("no simulated cluster");
  simulated = { server: one.server, token: one.token };
  cluster = await startCluster({ name: "faithful", gitVersion: "v1.36.3", kwok: false, controllers: false });
  real = { server: cluster.server, token: cluster.token, ca: readFileSync(cluster.caFile, "utf8") };
  await cluster.api.post("/api/v1/namespaces", { metadata: { name: NAMESPACE } });
  await cluster.api.post(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, { metadata: { name: "default" } });
  for (const name of NAMES) await createPod(name);
});
afterAll(async () => {
  await simulator?.stop();
  await cluster?.stop();
});

describe("a simulated cluster answers as a real API server does", () => {
  test.each([
    `${PODS}`,
    `${PODS}?limit=2`,
    `${PODS}?limit=2&labelSelector=app%3Dfaithful`,
    `${PODS}?limit=2&resourceVersion=0`,
    `${PODS}?resourceVersion=0&resourceVersionMatch=NotOlderThan`,
    `${PODS}?fieldSelector=metadata.name%3Dp-2`,
    `${PODS}?labelSelector=app%20in%20(faithful),!other`,
    `${PODS}?labelSelector=app%20notin%20(faithful)`,
    `${PODS}?labelSelector=app!%3Dfaithful`,
    `${PODS}/p-1`,
    `${PODS}?watch=maybe&resourceVersion=0`,
    `${PODS}?watch=False&limit=1`,
    "/api/v1/namespaces/none/pods",
    "/apis/apps/v1/namespaces/none/deployments?limit=1",
  ])("to %s, with what it asks for", async (path) => {
    const [ours, theirs] = [await ask(simulated, path), await ask(real, path)];
    expect(shapeOf(ours)).toEqual(shapeOf(theirs));
    expect(theirs.status).toBe(200);
  });

  test.each([
    `${PODS}?limit=x`,
    `${PODS}?continue=nonsense`,
    `${PODS}?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NX0`,
    `${PODS}?resourceVersion=x`,
    `${PODS}?resourceVersion=999999999999`,
    `${PODS}?resourceVersion=5&resourceVersionMatch=Newest`,
    `${PODS}?resourceVersionMatch=Exact`,
    `${PODS}?resourceVersion=0&resourceVersionMatch=Exact`,
    `${PODS}?labelSelector=((`,
    `${PODS}?fieldSelector=spec.colour%3Dred`,
    `${PODS}?watch=true&resourceVersion=x`,
    `${PODS}?watch=true&sendInitialEvents=true`,
    `${PODS}?watch=true&resourceVersion=5&resourceVersionMatch=Exact`,
    `${PODS}?sendInitialEvents=true`,
    `${PODS}/none`,
    "/api/v1/namespaces/none",
    "/apis/apps/v1/namespaces/default/deployments/none",
    "/api/v1/widgets",
    "/api/v1/pods/p-1",
    "/apis/none",
    "/apis/batch/v9/jobs",
    "/nothing",
    "/api/v1/namespaces/a/pods/b/c/d",
  ])("to %s, with a refusal", async (path) => {
    const [ours, theirs] = [await ask(simulated, path), await ask(real, path)];
    expect(shapeOf(ours)).toEqual(shapeOf(theirs));
    expect(theirs.status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ["a wrong token", { authorization: "Bearer wrong" }],
    ["an Accept that it cannot serve", { accept: "text/html" }],
    ["metadata only", { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" }],
    ["a choice of forms", { accept: "application/vnd.example;q=0.9,application/json" }],
  ])("to %s", async (_, headers) => {
    const [ours, theirs] = [await ask(simulated, PODS, headers), await ask(real, PODS, headers)];
    expect(shapeOf(ours)).toEqual(shapeOf(theirs));
  });

  test.each(["/version", "/readyz", "/livez", "/healthz", "/api", "/apis", "/api/v1", "/apis/apps", "/apis/batch/v1"])(
    "to %s, in kind",
    async (path) => {
      const [ours, theirs] = [await ask(simulated, path), await ask(real, path)];
      const form = ({ status, type, body }: Answer) => ({ status, type, kind: recordOf(body).kind, text: typeof body });
      expect(form(ours)).toEqual(form(theirs));
      if (path === "/version")
        expect(recordOf(ours.body)).toMatchObject(mapValues(versionFields(theirs), expect.any(String)));
    },
  );

  test("in a watch: kinds of events, and their objects' fields", async () => {
    const both = await Promise.all([watchChanges(simulated), watchChanges(real)]);
    expect(both[0]).toEqual(both[1]);
    expect(both[0].map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
  });

  test("in a watch's bookmark", async () => {
    const both = await Promise.all([firstBookmark(simulated), firstBookmark(real)]);
    expect(both[0]).toEqual(both[1]);
    expect(both[0]?.metadata).toEqual(["resourceVersion"]);
  });
});

async function createPod(name: string): Promise<void> {
  const labels = { app: "faithful" };
  const spec = {
    automountServiceAccountToken: false,
    containers: [{ name: "main", image: "registry.example/main:1" }],
  };
  await cluster.api.post(PODS, { metadata: { name, labels }, spec });
  simulator.clusters[0]?.put("pods", { metadata: { name, namespace: NAMESPACE, labels }, spec, status: {} });
}

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** What must agree: status, type, kind, reason, which fields of metadata and details, and which objects. */
function shapeOf({ status, type, body }: Answer): object {
  const { kind, apiVersion, reason, code, metadata, details, items } = recordOf(body);
  const fields = Object.keys(recordOf(metadata)).sort();
  return {
    status,
    type,
    ...(typeof body === "string" ? { body } : {}),
    kind,
    apiVersion,
    reason,
    code,
    state: typeof recordOf(body).status === "string" ? recordOf(body).status : undefined,
    // Objects of the two sides differ in what they have; lists and refusals do not.
    metadata: kind === "Pod" ? fields.filter((field) => CERTAIN.includes(field)) : fields,
    details: { kind: recordOf(details).kind, group: recordOf(details).group, name: recordOf(details).name },
    items: Array.isArray(items)
      ? items.map((item) => [recordOf(item).kind, recordOf(recordOf(item).metadata).name])
      : undefined,
  };
}

const CERTAIN = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp", "labels"];

interface EventShape {
  readonly type: unknown;
  readonly kind: unknown;
  readonly apiVersion: unknown;
  readonly metadata: readonly string[];
}

async function watchChanges(side: Side): Promise<readonly EventShape[]> {
  const list = recordOf((await ask(side, PODS)).body);
  const version = recordOf(list.metadata).resourceVersion;
  const ended = watchOnce(side, `timeoutSeconds=3&resourceVersion=${version}`);
  await changeAPod(side);
  const events = await ended;
  // A real pod that is deleted says so first: MODIFIED comes once more.
  return events.filter(({ type }, index) => type !== events[index + 1]?.type);
}

/** A real API server may end a short watch without a bookmark; then the next one is asked. */
async function firstBookmark(side: Side): Promise<EventShape | undefined> {
  for (let attempt = 0; attempt < 8; attempt++) {
    const events = await watchOnce(side, "allowWatchBookmarks=true&timeoutSeconds=5");
    const bookmark = events.find(({ type }) => type === "BOOKMARK");
    if (bookmark !== undefined) return bookmark;
  }
  return undefined;
}

async function watchOnce(side: Side, query: string): Promise<readonly EventShape[]> {
  const events: EventShape[] = [];
  await stream(side, `${PODS}?watch=true&${query}`, (line) => events.push(eventShape(JSON.parse(line))));
  return events;
}

function eventShape(event: unknown): EventShape {
  const { type, object } = recordOf(event);
  const { kind, apiVersion, metadata } = recordOf(object);
  const fields = Object.keys(recordOf(metadata)).filter((field) => CERTAIN.includes(field));
  return { type, kind, apiVersion, metadata: fields.sort() };
}

async function changeAPod(side: Side): Promise<void> {
  const spec = {
    automountServiceAccountToken: false,
    containers: [{ name: "main", image: "registry.example/main:1" }],
  };
  if (side === real) {
    await cluster.api.post(PODS, { metadata: { name: "changing", labels: { step: "1" } }, spec });
    await cluster.api.patch(`${PODS}/changing`, { metadata: { labels: { step: "2" } } });
    await cluster.api.delete(`${PODS}/changing?gracePeriodSeconds=0`);
    return;
  }
  const [one] = simulator.clusters;
  for (const step of ["1", "2"]) {
    one?.put("pods", { metadata: { name: "changing", namespace: NAMESPACE, labels: { step } }, spec });
  }
  one?.remove("pods", NAMESPACE, "changing");
}

function ask(side: Side, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = open(side, path, headers, (response) => {
      let text = "";
      // A refusal ends; what is still open after two seconds is a watch.
      const open = setTimeout(() => {
        resolve({ status: response.statusCode ?? 0, type: "open", body: text === "" ? "" : "events" });
        call.destroy();
      }, 2_000);
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        clearTimeout(open);
        const type = response.headers["content-type"]?.split(";")[0];
        resolve({
          status: response.statusCode ?? 0,
          type,
          body: type === "application/json" ? JSON.parse(text) : text,
        });
      });
    });
    call.on("error", reject);
  });
}

/** Reads lines until the server ends the stream. */
function stream(side: Side, path: string, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = open(side, path, {}, (response) => {
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) onLine(line);
      });
      response.on("end", resolve);
    });
    call.on("error", reject);
  });
}

function open(
  { server, token, ca }: Side,
  path: string,
  headers: Readonly<Record<string, string>>,
  onResponse: (response: http.IncomingMessage) => void,
): http.ClientRequest {
  const all = { authorization: `Bearer ${token}`, accept: "application/json", ...headers };
  const url = `${server}${path}`;
  const call = server.startsWith("https:")
    ? https.request(url, { headers: all, ca, agent: false }, onResponse)
    : http.request(url, { headers: all, agent: false }, onResponse);
  call.end();
  return call;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function mapValues(record: Record<string, unknown>, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.keys(record).map((key) => [key, value]));
}

/** Fields of /version that every supported release has. */
function versionFields({ body }: Answer): Record<string, unknown> {
  const fields = Object.entries(recordOf(body)).filter(([name]) => !/^(emulation|minCompatibility)/.test(name));
  return Object.fromEntries(fields);
}
