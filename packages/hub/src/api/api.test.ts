import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERROR_TABLE } from "@plimsoll/contracts";
import { AuditCheckpoints, AuditList, Problem } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AskOptions, startTestHub, type TestHub } from "../testing/test-hub.ts";

let hub: TestHub;
let pageDir: string;
beforeAll(async () => {
  pageDir = mkdtempSync(join(tmpdir(), "plimsoll-page-"));
  mkdirSync(join(pageDir, "assets"));
  writeFileSync(join(pageDir, "index.html"), "<!doctype html><title>Plimsoll</title>");
  writeFileSync(join(pageDir, "assets", "main-1a2b.js"), "export {};");
  hub = await startTestHub({ pageDir });
  await hub.join("prod-eu", { labels: { env: "prod" } });
});
afterAll(async () => {
  await hub.remove();
  rmSync(pageDir, { recursive: true });
});

async function problem(path: string, options: AskOptions = {}) {
  const answer = await hub.ask(path, options);
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  const parsed = Problem.parse(answer.body);
  expect(parsed.status).toBe(answer.status);
  expect(parsed.requestId).toBe(answer.headers.get("x-request-id"));
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d|\\n +at /);
  return parsed;
}

describe("a bad parameter is a problem that names field, value and what it takes", () => {
  const lists = ["/api/v1/clusters", "/api/v1/inventory", "/api/v1/nodes", "/api/v1/namespaces"];
  const common: readonly [string, string, string][] = [
    ["limit=0", "parameter_invalid", "limit"],
    ["limit=1001", "parameter_invalid", "limit"],
    ["limit=-1", "parameter_invalid", "limit"],
    ["limit=1.5", "parameter_invalid", "limit"],
    ["limit=many", "parameter_invalid", "limit"],
    ["limit=1&limit=2", "parameter_invalid", "limit"],
    ["limit=NaN", "parameter_invalid", "limit"],
    ["sort=colour", "parameter_invalid", "sort"],
    ["sort=", "parameter_invalid", "sort"],
    ["sort=-", "parameter_invalid", "sort"],
    ["sort=constructor", "parameter_invalid", "sort"],
    ["sort=a&sort=b", "parameter_invalid", "sort"],
    ["cursor=abc", "cursor_invalid", "cursor"],
    ["cursor=", "cursor_invalid", "cursor"],
    ["cursor=%00", "cursor_invalid", "cursor"],
    ["selector=%3Dprod", "selector_invalid", "selector"],
    ["selector=env%20in%20(", "selector_invalid", "selector"],
    ["selector=a&selector=b", "parameter_invalid", "selector"],
    ["search=a&search=b", "parameter_invalid", "search"],
    ["limt=5", "parameter_unknown", "limt"],
    ["__proto__=1", "parameter_unknown", "__proto__"],
  ];
  const own: readonly [string, string, string, string][] = [
    ["/api/v1/clusters", "type=EKS,", "parameter_invalid", "type"],
    ["/api/v1/clusters", "connectivity=", "parameter_invalid", "connectivity"],
    ["/api/v1/clusters", "health=a&health=b", "parameter_invalid", "health"],
    ["/api/v1/inventory", "version=,", "parameter_invalid", "version"],
    ["/api/v1/nodes", "cluster=nowhere", "cluster_unknown", "cluster"],
    ["/api/v1/namespaces", "cluster=", "cluster_unknown", "cluster"],
    ["/api/v1/overview", "limit=5", "parameter_unknown", "limit"],
    ["/api/v1/policy", "x=1", "parameter_unknown", "x"],
    ["/api/v1/clusters/prod-eu", "fields=all", "parameter_unknown", "fields"],
    ["/api/v1/cost", "window=soon", "parameter_invalid", "window"],
    ["/api/v1/cost", "window=2026-02-30T00:00:00Z,2026-03-01T00:00:00Z", "parameter_invalid", "window"],
    ["/api/v1/cost", "aggregate=colour", "parameter_invalid", "aggregate"],
    ["/api/v1/cost", "aggregate=", "parameter_invalid", "aggregate"],
    ["/api/v1/cost", "limit=10001", "parameter_invalid", "limit"],
    ["/api/v1/cost", "cluster=nowhere", "cluster_unknown", "cluster"],
    ["/api/v1/cost", "step=1h", "parameter_unknown", "step"],
  ];
  const cases = [...lists.flatMap((path) => common.map((row) => [path, ...row] as const)), ...own];
  test.each(cases)("%s?%s: %s", async (path, query, code, field) => {
    const found = await problem(`${path}?${query}`);
    expect(found.code).toBe(code);
    expect(found.status).toBe(Object.entries(ERROR_TABLE).find(([known]) => known === code)?.[1].status);
    if (code !== "cluster_unknown") expect(found.field).toBe(field);
  });

  test("a misspelt one is told the right one", async () => {
    expect((await problem("/api/v1/clusters?limt=5")).detail).toBe("The request takes no limt; did you mean limit?");
    expect((await problem("/api/v1/clusters?Selector=a")).detail).toContain("did you mean selector?");
    expect((await problem("/api/v1/clusters?colour=a")).detail).toBe("The request takes no colour");
  });
});

describe("a bad path is a problem", () => {
  test.each([
    ["/api/v1/clusters/nowhere", 404, "cluster_unknown"],
    ["/api/v1/clusters/..%2F..%2Fetc", 404, "cluster_unknown"],
    [`/api/v1/clusters/${"a".repeat(257)}`, 404, "route_unknown"],
    ["/api/v1/clusters/", 400, "parameter_invalid"],
    ["/api/v1/nothing", 404, "route_unknown"],
    ["/api/v2/clusters", 404, "route_unknown"],
    ["/api", 404, "route_unknown"],
    ["/api/v1/clusters/%zz", 400, "request_invalid"],
  ])("%s: %d %s", async (path, status, code) => {
    expect(await problem(path)).toMatchObject({ status, code });
  });

  test.each([
    ["DELETE", "/api/v1/clusters", "GET, POST"],
    ["PUT", "/api/v1/clusters/prod-eu", "GET"],
    ["GET", "/api/v1/join", "POST"],
    ["GET", "/api/v1/join-tokens", "POST"],
    ["POST", "/api/v1/overview", "GET"],
    ["PATCH", "/api/v1/policy", "GET, PUT"],
  ])("%s %s is told %s", async (method, path, allow) => {
    const answer = await hub.ask(path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    expect(answer.body).toMatchObject({ code: "method_unsupported" });
  });
});

describe("a bad body is a problem", () => {
  const token = (raw: string | Uint8Array, headers = {}): AskOptions => ({ method: "POST", raw, headers });
  const bodies: readonly [string, AskOptions, string, string | undefined][] = [
    ["nothing", token(""), "body_invalid", undefined],
    ["no JSON", token("{clusterName"), "body_invalid", undefined],
    ["JSON that is no object", token("[]"), "body_invalid", undefined],
    ["null", token("null"), "parameter_invalid", "clusterName"],
    ["a text", token('"prod-eu"'), "body_invalid", undefined],
    ["a prototype", token('{"__proto__": {"a": 1}}'), "body_invalid", undefined],
    [
      "another type",
      token("clusterName: prod", { "content-type": "application/yaml" }),
      "media_type_unsupported",
      undefined,
    ],
    [
      "a form",
      token("a=b", { "content-type": "application/x-www-form-urlencoded" }),
      "media_type_unsupported",
      undefined,
    ],
    ["3 MB", token(`{"clusterName": "${"a".repeat(3_000_000)}"}`), "body_too_large", undefined],
    ["no name", token("{}"), "parameter_invalid", "clusterName"],
    ["a bad name", token('{"clusterName": "Prod EU"}'), "parameter_invalid", "clusterName"],
    ["a long name", token(`{"clusterName": "${"a".repeat(64)}"}`), "parameter_invalid", "clusterName"],
    ["a number as a name", token('{"clusterName": 5}'), "parameter_invalid", "clusterName"],
    ["a day and a second", token('{"clusterName": "a", "ttlSeconds": 86401}'), "parameter_invalid", "ttlSeconds"],
    ["no time at all", token('{"clusterName": "a", "ttlSeconds": 0}'), "parameter_invalid", "ttlSeconds"],
    ["half a second", token('{"clusterName": "a", "ttlSeconds": 90.5}'), "parameter_invalid", "ttlSeconds"],
    [
      "labels that are no texts",
      token('{"clusterName": "a", "labels": {"env": 1}}'),
      "parameter_invalid",
      "labels.env",
    ],
    ["a bad label", token('{"clusterName": "a", "labels": {"env": "a b"}}'), "parameter_invalid", "labels.env"],
    ["a field too many", token('{"clusterName": "a", "ttl": 60}'), "parameter_unknown", "ttl"],
  ];
  test.each(bodies)("%s", async (_, options, code, field) => {
    const found = await problem("/api/v1/join-tokens", options);
    expect([found.code, found.field]).toEqual([code, field]);
  });

  const joins: readonly [string, Record<string, unknown>, string, string | undefined][] = [
    ["no token", { token: undefined }, "parameter_invalid", "token"],
    ["a token that is none", {}, "join_token_invalid", undefined],
    ["a request of a megabyte", { csr: "a".repeat(16_385) }, "parameter_invalid", "csr"],
    ["an empty fingerprint", { fingerprint: "" }, "parameter_invalid", "fingerprint"],
    ["a long version", { agentVersion: "1".repeat(65) }, "parameter_invalid", "agentVersion"],
  ];
  test.each(joins)("joining with %s", async (_, change, code, field) => {
    const body = { token: "t", csr: "c", fingerprint: "f", agentVersion: "0.1.0", ...change };
    const found = await problem("/api/v1/join", { method: "POST", token: null, body });
    expect([found.code, found.field]).toEqual([code, field]);
  });

  test.each<[unknown, string]>([
    [{ sampleIntervalMs: 9_999 }, "sampleIntervalMs"],
    [{ sampleIntervalMs: 300_001 }, "sampleIntervalMs"],
    [{ usageFlushMs: "10000" }, "usageFlushMs"],
    [{ reportIntervalMs: null }, "reportIntervalMs"],
  ])("a policy of %j", async (body, field) => {
    const found = await problem("/api/v1/policy", { method: "PUT", body });
    expect([found.code, found.field]).toEqual(["parameter_invalid", field]);
  });
});

describe("who asks", () => {
  const closed = ["/api/v1/clusters", "/api/v1/overview", "/api/v1/inventory", "/api/v1/nodes", "/api/v1/namespaces"];
  test.each([...closed, "/api/v1/cost", "/api/v1/policy", "/api/v1/clusters/prod-eu"])(
    "nobody may not see %s",
    async (path) => {
      for (const token of [null, "pla1.wrong"]) {
        const answer = await hub.ask(path, { token });
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="plimsoll"');
        expect(answer.body).toMatchObject({ code: "unauthenticated" });
      }
    },
  );

  test("is asked before a body is read", async () => {
    const options = { method: "POST", token: null, raw: "x".repeat(3_000_000) };
    expect(await problem("/api/v1/join-tokens", options)).toMatchObject({ code: "unauthenticated" });
  });

  test.each(["/livez", "/readyz", "/metrics", "/openapi.json", "/"])("everybody sees %s", async (path) => {
    expect((await hub.ask(path, { token: null })).status).toBe(200);
  });
});

describe("the audit log", () => {
  test("has refused and failed attempts with who, what, why and from where", async () => {
    const marked = (name: string) => ({ method: "POST", body: {}, headers: { "x-request-id": name } });
    await hub.ask("/api/v1/join-tokens", { ...marked("refused-1"), token: null });
    await hub.ask("/api/v1/join-tokens", marked("failed-1"));
    const { openStore } = await import("../store/store.ts");
    const store = await openStore({ sqlite: join(hub.dataDir, "hub.sqlite") });
    const rows = await store.db
      .selectFrom("audit")
      .selectAll()
      .where("request_id", "in", ["refused-1", "failed-1"])
      .execute();
    await store.close();
    expect(rows).toMatchObject([
      { actor: "anonymous", verb: "create", thing: "join-token", outcome: "refused", code: "unauthenticated" },
      { actor: "admin", verb: "create", thing: "join-token", outcome: "failed", code: "parameter_invalid" },
    ]);
    expect(rows[0]?.address).toBe("127.0.0.1");
  });
});

describe("the audit log by REST", () => {
  test("shows attempts with who, what and why, filtered and page by page", async () => {
    for (const name of ["list-1", "list-2"]) {
      await hub.ask("/api/v1/join-tokens", { method: "POST", body: {}, headers: { "x-request-id": name } });
    }
    const page = (cursor = "") => hub.ask(`/api/v1/audit?thing=join-token&outcome=failed&limit=1${cursor}`);
    const first = await page();
    expect(first.body).toMatchObject({ items: [{ requestId: "list-2", code: "parameter_invalid" }] });
    const second = await page(`&cursor=${AuditList.parse(first.body).next}`);
    expect(second.body).toMatchObject({ items: [{ requestId: "list-1" }] });
  });

  test("has who read costs", async () => {
    const headers = { "x-request-id": "read-costs-1" };
    await hub.ask("/api/v1/cost?window=1h", { headers });
    await expect
      .poll(async () => (await hub.ask("/api/v1/audit?requestId=read-costs-1")).body)
      .toMatchObject({
        items: [{ verb: "read", thing: "cost", outcome: "allowed", after: { asked: "/api/v1/cost?window=1h" } }],
      });
  });

  test("is whole, and its end can be signed", async () => {
    const signed = await hub.ask("/api/v1/audit/checkpoints", { method: "POST", body: {} });
    expect(signed.body).toMatchObject({ publicKey: expect.stringContaining("PUBLIC KEY"), items: [expect.anything()] });
    const { items } = AuditCheckpoints.parse(signed.body);
    expect((await hub.ask("/api/v1/audit/verify")).body).toMatchObject({ faults: [], checkpoints: items.length });
  });

  test.each(["", "/verify", "/checkpoints"])("%s is not for strangers", async (path) => {
    expect((await hub.ask(`/api/v1/audit${path}`, { token: null })).status).toBe(401);
  });

  test.each(["cursor=x", "limit=0", "outcome=maybe", "from=yesterday", "order=random"])(
    "?%s is refused",
    async (query) => {
      expect((await hub.ask(`/api/v1/audit?${query}`)).status).toBe(400);
    },
  );
});

describe("request ids", () => {
  test.each([
    ["abc-123.x:y_z", true],
    ["", false],
    ["a b", false],
    ["a".repeat(65), false],
    ['x"onload', false],
  ])("%j is kept: %s", async (id, kept) => {
    const answer = await hub.ask("/livez", { headers: { "x-request-id": id } });
    if (kept) expect(answer.headers.get("x-request-id")).toBe(id);
    else expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("the page", () => {
  test.each(["/", "/clusters", "/clusters/prod-eu", "/clusters/edge.v2", "/index.html"])(
    "%s is the page",
    async (path) => {
      const answer = await hub.ask(path, { token: null });
      expect(answer.text).toContain("<title>Plimsoll</title>");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'self'");
    },
  );

  test("files whose name changes with their content are kept", async () => {
    const answer = await hub.ask("/assets/main-1a2b.js", { token: null });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/javascript; charset=utf-8"]);
    expect(answer.headers.get("cache-control")).toContain("immutable");
  });

  test.each(["/assets/missing.js", "/favicon.ico", "/..%2f..%2fetc/passwd.txt", "/hub.sqlite"])(
    "%s is nothing",
    async (path) => {
      expect(await problem(path, { token: null })).toMatchObject({ status: 404, code: "route_unknown" });
    },
  );

  test.each(["/%2e%2e/admin-token", "/..%2fadmin-token"])("%s gives no file of the hub", async (path) => {
    expect((await hub.ask(path, { token: null })).text).not.toContain(String(hub.adminToken));
  });
});

test("what is no HTTP is answered, and the hub goes on", async () => {
  const { port } = new URL(hub.url);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write("GET / HTTP/9\r\n\r\n"));
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400/);
  expect((await hub.ask("/livez")).status).toBe(200);
});
