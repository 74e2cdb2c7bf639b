import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { PlimsollError } from "@plimsoll/contracts";
import { afterEach, describe, expect, test } from "vitest";
import type { KubeConnection } from "./connection.ts";
import { type CredentialSource, fixedCredential } from "./credential.ts";
import { createHttpConnection, type HttpConnectionSettings } from "./http-connection.ts";
import { readBody } from "./read-body.ts";
import { type Answer, inTurn, json, startFakeServer } from "./testing/fake-server.ts";
import { createManualClock, type ManualClock } from "./testing/manual-clock.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

const START = Date.parse("2026-01-31T08:00:00Z");
let clock: ManualClock;

async function serve(answer: Answer, settings: Partial<HttpConnectionSettings> = {}) {
  const server = await startFakeServer(answer);
  open.push(server);
  return { server, conn: connect(server.url, settings) };
}

function connect(url: string, settings: Partial<HttpConnectionSettings> = {}): KubeConnection {
  // Waits up to 9.9 s pass at once; connection limit (10 s) and deadline (30 s) only when the test says so.
  clock = createManualClock(START, 9_900);
  const conn = createHttpConnection({
    server: url,
    context: "shop",
    credentials: fixedCredential(),
    clock,
    random: () => 0.5,
    ...settings,
  });
  open.push(conn);
  return conn;
}

async function failureOf(promise: Promise<unknown>): Promise<PlimsollError> {
  const thrown = await promise.then(
    (value) => new Error(`no failure but ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof PlimsollError) return thrown;
  throw thrown;
}

const status = (code: number, message = "said so") => json({ kind: "Status", code, message }, code);
const html = (code: number): Answer => {
  return (_, response) => response.writeHead(code, { "content-type": "text/html" }).end("<html>Sign in</html>");
};

test("the client loads no second HTTP client into the process", () => {
  const module = JSON.stringify(new URL("./http-connection.ts", import.meta.url).href);
  const script = `await import(${module}); console.log(process.moduleLoadList.filter((name) => /undici/.test(name)).length)`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(output.trim()).toBe("0");
});

describe("every failure is a coded error", () => {
  test.each<{ name: string; answer: Answer; code: string; message: string }>([
    { name: "401", answer: status(401), code: "cluster_unauthorized", message: "context shop" },
    { name: "403", answer: status(403), code: "cluster_forbidden", message: "No right to list pods in context shop" },
    { name: "404", answer: status(404), code: "api_missing", message: "does not serve pods" },
    { name: "410", answer: status(410), code: "list_expired", message: "forgot the version of pods" },
    { name: "400 with a reason", answer: status(400, "no such field"), code: "api_error", message: "no such field" },
    { name: "a page instead of JSON", answer: html(200), code: "api_answer_invalid", message: "an HTML page" },
    { name: "a page with 403", answer: html(403), code: "api_answer_invalid", message: "HTML page with status 403" },
    {
      name: "a redirect, which is not followed",
      answer: (_, response) => response.writeHead(302, { location: "https://login.example/?token=secret" }).end(),
      code: "api_answer_invalid",
      message: "a redirect to login.example (status 302)",
    },
    {
      name: "a status without content",
      answer: (_, response) => response.writeHead(204).end(),
      code: "api_answer_invalid",
      message: ": status 204",
    },
    {
      name: "nothing",
      answer: (_, response) => response.end(" "),
      code: "api_answer_invalid",
      message: "nothing at all",
    },
    {
      name: "text instead of JSON",
      answer: (_, response) => response.end("hello"),
      code: "api_answer_invalid",
      message: "no JSON (hello)",
    },
  ])("$name → $code", async ({ answer, code, message }) => {
    const { conn, server } = await serve(answer);
    const error = await failureOf(conn.getJson("/api/v1/pods", { what: "pods" }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("secret");
    expect(server.asked).toEqual(["/api/v1/pods"]);
  });

  test("a port where nobody listens is cluster_unreachable, at once", async () => {
    const error = await failureOf(connect("http://127.0.0.1:1").getJson("/version"));
    expect(error.code).toBe("cluster_unreachable");
    expect(error.message).toBe("http://127.0.0.1:1 does not answer: connection refused");
  });

  test("a name that does not resolve is cluster_unreachable", async () => {
    const error = await failureOf(connect("http://nowhere.invalid").getJson("/version"));
    expect(error.code).toBe("cluster_unreachable");
    expect(error.message).toContain("does not resolve");
  });

  test("an answer that does not come by the deadline is cluster_timeout", async () => {
    const { conn } = await serve(() => clock.advance(30_000));
    const error = await failureOf(conn.getJson("/api/v1/pods", { what: "pods" }));
    expect(error.message).toBe("pods took longer than 30 s");
    expect(error.code).toBe("cluster_timeout");
  });

  test("a port that takes connections and never speaks TLS is cluster_unreachable after the connection limit", async () => {
    const silent = net.createServer(() => clock.advance(10_000));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    open.push(silent);
    const { port } = silent.address() as AddressInfo;
    const error = await failureOf(connect(`https://127.0.0.1:${port}`).getJson("/version"));
    expect(error.code).toBe("cluster_unreachable");
    expect(error.message).toContain("no connection within 10 s");
  });

  test("an abort rejects with the reason of the signal, not with a code", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { conn } = await serve(() => controller.abort(reason));
    await expect(conn.getJson("/version", { signal: controller.signal })).rejects.toBe(reason);
    await expect(conn.getJson("/version", { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe("what may pass is tried again", () => {
  test("429 is obeyed: waits as long as Retry-After says, plus jitter", async () => {
    const busy = json({ message: "slow down" }, 429, { "retry-after": "3" });
    const { conn, server } = await serve(inTurn(busy, busy, json({ ok: true })));
    await expect(conn.getJson("/api/v1/pods")).resolves.toEqual({ ok: true });
    expect(server.asked).toHaveLength(3);
    // base 200 ms, doubled, times random 0.5
    expect(clock.timers).toContain(3_100);
    expect(clock.timers).toContain(3_200);
  });

  test("a Retry-After past the deadline fails at once as cluster_busy", async () => {
    const { conn, server } = await serve(json({}, 429, { "retry-after": "50" }));
    const error = await failureOf(conn.getJson("/api/v1/pods", { what: "pods" }));
    expect(error.code).toBe("cluster_busy");
    expect(error.message).toContain("wait 50 s before pods");
    expect(server.asked).toHaveLength(1);
  });

  test("500 and 503 are repeated a bounded number of times", async () => {
    const { conn, server } = await serve(status(503, "not ready"));
    const error = await failureOf(conn.getJson("/api/v1/pods", { what: "pods", repeats: 3 }));
    expect(error.code).toBe("api_error");
    expect(error.message).toContain("503");
    expect(server.asked).toHaveLength(4);
  });

  test("a deadline that ends the wait for a repetition leaves the reason why there was one", async () => {
    const stop = new AbortController();
    const { conn } = await serve(json({}, 429, { "retry-after": "20" }));
    const error = failureOf(conn.getJson("/api/v1/pods", { what: "pods", signal: stop.signal }));
    await expect.poll(() => clock.timers).toContain(20_100);
    stop.abort(new PlimsollError("cluster_timeout", { what: "Reading shop", seconds: 10 }));
    expect((await error).code).toBe("cluster_busy");
  });

  test("a connection cut inside a body is repeated", async () => {
    const cut: Answer = (_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.destroy());
    };
    const { conn, server } = await serve(inTurn(cut, json({ whole: true })));
    await expect(conn.getJson("/api/v1/pods")).resolves.toEqual({ whole: true });
    expect(server.asked).toHaveLength(2);
  });
});

describe("TLS", () => {
  const pem = (name: string) => readFileSync(new URL(`testing/testdata/${name}`, import.meta.url), "utf8");
  const tls = { cert: pem("server.crt"), key: pem("server.key"), ca: pem("ca.crt"), requestCert: true };

  async function serveTls(settings: Partial<HttpConnectionSettings>, answer: Answer = json({ ok: true }), extra = {}) {
    const server = await startFakeServer(answer, { ...tls, rejectUnauthorized: false, ...extra });
    open.push(server);
    return connect(server.url, settings);
  }
  const trusted = { certificateAuthority: tls.ca, tlsServerName: "kube.test" };

  test("a certificate of the given CA for the given name is trusted", async () => {
    const conn = await serveTls(trusted);
    await expect(conn.getJson("/version")).resolves.toEqual({ ok: true });
  });

  test.each<{ name: string; settings: Partial<HttpConnectionSettings>; reason: RegExp }>([
    {
      name: "of an unknown CA",
      settings: { tlsServerName: "kube.test" },
      reason: /(unable to verify|self.signed)[^;]*$/,
    },
    { name: "for another name", settings: { certificateAuthority: tls.ca }, reason: /IP: 127.0.0.1 is not in/ },
  ])("a certificate $name is tls_untrusted", async ({ settings, reason }) => {
    const error = await failureOf((await serveTls(settings)).getJson("/version"));
    expect(error.code).toBe("tls_untrusted");
    expect(error.message).toMatch(reason);
  });

  test("insecure trusts any certificate", async () => {
    await expect((await serveTls({ insecure: true })).getJson("/version")).resolves.toEqual({ ok: true });
  });

  test("TLS 1.2 is enough, TLS 1.1 is not", async () => {
    const old = await serveTls(trusted, json({ ok: true }), { maxVersion: "TLSv1.2" });
    await expect(old.getJson("/version")).resolves.toEqual({ ok: true });
    const older = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    const error = await failureOf((await serveTls(trusted, json({}), older)).getJson("/version"));
    expect(error.code).toBe("cluster_unreachable");
  });

  test("the client certificate is shown, and a server that refuses it means cluster_unauthorized", async () => {
    const certificate = { cert: pem("client.crt"), key: pem("client.key") };
    const strict = { rejectUnauthorized: true };
    const credentials = fixedCredential({ clientCertificate: certificate });
    const showing = await serveTls({ ...trusted, credentials }, json({ ok: true }), strict);
    await expect(showing.getJson("/version")).resolves.toEqual({ ok: true });
    const without = await serveTls(trusted, json({ ok: true }), strict);
    expect((await failureOf(without.getJson("/version"))).code).toBe("cluster_unauthorized");
  });

  test("plain HTTP behind an https address is named as such", async () => {
    const server = await startFakeServer(json({}));
    open.push(server);
    const error = await failureOf(connect(server.url.replace("http:", "https:")).getJson("/version"));
    expect(error.code).toBe("cluster_unreachable");
    expect(error.message).toContain("plain HTTP?");
  });
});

describe("credentials", () => {
  test("headers of the credential are sent and a token stays out of errors", async () => {
    const headers = { authorization: "Bearer very-secret", "impersonate-group": ["a", "b"] };
    const { conn, server } = await serve(status(401), { credentials: fixedCredential({ headers }) });
    const error = await failureOf(conn.getJson("/version"));
    expect(server.headers[0]).toMatchObject({ authorization: "Bearer very-secret", "impersonate-group": "a, b" });
    expect(JSON.stringify([error.message, error.fields, error.remedy])).not.toContain("secret");
  });

  function rotating(): CredentialSource & { refusals: number } {
    const source = {
      refusals: 0,
      current: async () => ({ headers: { authorization: `Bearer token-${source.refusals}` } }),
      refused: () => {
        source.refusals += 1;
        return true;
      },
    };
    return source;
  }

  test("after a 401 the request is sent once more with new credentials", async () => {
    const { conn, server } = await serve(inTurn(status(401), json({ ok: true })), { credentials: rotating() });
    await expect(conn.getJson("/version")).resolves.toEqual({ ok: true });
    expect(server.headers.map((header) => header.authorization)).toEqual(["Bearer token-0", "Bearer token-1"]);
  });

  test("a second 401 is cluster_unauthorized, not a loop", async () => {
    const { conn, server } = await serve(status(401), { credentials: rotating() });
    expect((await failureOf(conn.getJson("/version"))).code).toBe("cluster_unauthorized");
    expect(server.asked).toHaveLength(2);
  });

  test("a credential that fails gives its own code", async () => {
    const failure = new PlimsollError("credential_plugin_failed", { command: "aws", context: "shop", reason: "no" });
    const credentials: CredentialSource = { current: () => Promise.reject(failure), refused: () => false };
    const { conn } = await serve(json({}), { credentials });
    await expect(conn.getJson("/version")).rejects.toBe(failure);
  });
});

describe("paths, proxies and bounds", () => {
  test("a base path of the server and query parameters are kept", async () => {
    const server = await startFakeServer(json({}));
    open.push(server);
    await connect(`${server.url}/k8s/clusters/c-1`).getJson("/api/v1/pods", {
      query: { limit: 5, continue: undefined, labelSelector: "a=b,c" },
    });
    expect(server.asked).toEqual(["/k8s/clusters/c-1/api/v1/pods?limit=5&labelSelector=a%3Db%2Cc"]);
  });

  test("no path leads to another host", async () => {
    const { conn, server } = await serve(json({ ok: true }));
    await expect(conn.getJson("//elsewhere.example/x")).resolves.toEqual({ ok: true });
    expect(server.asked).toEqual(["//elsewhere.example/x"]);
  });

  test("a proxy tunnels to an https server by CONNECT and sees nothing of the request", async () => {
    const pem = (name: string) => readFileSync(new URL(`testing/testdata/${name}`, import.meta.url), "utf8");
    const target = await startFakeServer(json({ ok: true }), { cert: pem("server.crt"), key: pem("server.key") });
    const proxy = await startProxy(target.port);
    open.push(target, proxy);
    const conn = connect("https://kube.test:6443", { certificateAuthority: pem("ca.crt"), proxyUrl: proxy.url });
    await expect(conn.getJson("/version")).resolves.toEqual({ ok: true });
    expect(proxy.tunnels).toEqual(["kube.test:6443"]);
  });

  test("no more requests run at once than allowed", async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const { conn } = await serve(
      (request, response) => {
        running += 1;
        most = Math.max(most, running);
        waiting.push(() => {
          running -= 1;
          json({})(request, response);
          waiting.shift()?.();
        });
        if (running === 2) waiting.shift()?.();
      },
      { concurrency: 2 },
    );
    const all = Promise.all(Array.from({ length: 6 }, () => conn.getJson("/version")));
    await all;
    expect(most).toBe(2);
  });

  test("close ends what is going on", async () => {
    const { conn } = await serve(() => conn.close());
    expect((await failureOf(conn.getJson("/version", { repeats: 0 }))).code).toBe("cluster_unreachable");
  });
});

describe("lists are read item by item", () => {
  async function listed(answer: Answer, settings: Partial<HttpConnectionSettings> = {}) {
    const { conn, server } = await serve(answer, settings);
    const items: unknown[] = [];
    const header = await conn.getList("/api/v1/pods", (item) => items.push(item), { what: "pods" });
    return { header, items, server };
  }

  test("items come one by one, the rest of the list at the end", async () => {
    const list = { kind: "PodList", metadata: { continue: "t" }, items: [{ a: 1 }, { b: "x}]" }] };
    expect(await listed(json(list))).toMatchObject({ header: { metadata: { continue: "t" } }, items: list.items });
  });

  test("null items are an empty list, as some servers write it", async () => {
    expect((await listed(json({ metadata: {}, items: null }))).items).toEqual([]);
  });

  test("a page that breaks off is read once more, its first items come again", async () => {
    const cut: Answer = (_, response) => {
      response.write('{"metadata":{},"items":[{"a":1},{"b"', () => response.destroy());
    };
    const { items, server } = await listed(inTurn(cut, json({ metadata: {}, items: [{ a: 1 }, { b: 2 }] })));
    expect(items).toEqual([{ a: 1 }, { a: 1 }, { b: 2 }]);
    expect(server.asked).toHaveLength(2);
  });

  test.each<{ name: string; answer: Answer; reason: string }>([
    { name: "an object", answer: json({ hello: 1 }), reason: "it has no items" },
    { name: "an array", answer: json([{ a: 1 }]), reason: "it has no items" },
    { name: "items that are none", answer: json({ items: {} }), reason: "it has no items" },
    { name: "a page", answer: html(200), reason: "an HTML page" },
    { name: "text", answer: (_, response) => response.end("hello"), reason: "no JSON (hello)" },
    { name: "nothing", answer: (_, response) => response.end(), reason: "nothing at all" },
    {
      name: "half of a list",
      answer: (_, response) => response.end('{"items":[{"a":1'),
      reason: "ends in the middle of",
    },
    { name: "broken JSON", answer: (_, response) => response.end('{"items":[{"a":}]}'), reason: "not valid JSON" },
  ])("$name is api_answer_invalid", async ({ answer, reason }) => {
    const error = await failureOf(listed(answer));
    expect(error.code).toBe("api_answer_invalid");
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain("dump");
  });

  test("what the listener throws passes as it is, and the list is not asked for again", async () => {
    const { conn, server } = await serve(json({ items: [{ a: 1 }] }));
    const defect = Object.assign(new Error("defect"), { code: "ECONNRESET" });
    const listener = () => {
      throw defect;
    };
    await expect(conn.getList("/api/v1/pods", listener)).rejects.toBe(defect);
    expect(server.asked).toHaveLength(1);
  });

  test("packed lists are unpacked on the way", async () => {
    const list = { metadata: {}, items: Array.from({ length: 1_000 }, (_, i) => ({ name: `pod-${i}` })) };
    const packed = gzipSync(JSON.stringify(list));
    const answer: Answer = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    expect((await listed(answer, { gzip: true })).items).toEqual(list.items);
    const broken: Answer = (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length });
      response.write(packed.subarray(0, 2_000), () => response.destroy());
    };
    const { items, server } = await listed(inTurn(broken, answer), { gzip: true });
    expect(items.slice(-1_000)).toEqual(list.items);
    expect(server.asked).toHaveLength(2);
  });
});

describe("packed answers", () => {
  const packed = gzipSync(JSON.stringify({ items: "x".repeat(100_000) }));
  const gzip = (body: Buffer): Answer => {
    return (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(body);
  };

  test("are asked for where it is worth it, and unpacked", async () => {
    const { conn, server } = await serve(gzip(packed), { gzip: true });
    await expect(conn.getJson("/api/v1/pods")).resolves.toEqual({ items: "x".repeat(100_000) });
    await (await conn.streamLines("/watch", { idleMs: 1_000 }))[Symbol.asyncIterator]().return?.(undefined);
    expect(server.headers.map((header) => header["accept-encoding"])).toEqual(["gzip", undefined]);
    const plain = await serve(json({}));
    await plain.conn.getJson("/version");
    expect(plain.server.headers[0]?.["accept-encoding"]).toBeUndefined();
  });

  test("that are broken or endless are api_answer_invalid", async () => {
    const { conn } = await serve(gzip(packed.subarray(0, 50)), { gzip: true });
    const error = await failureOf(conn.getJson("/api/v1/pods"));
    expect(error.code).toBe("api_answer_invalid");
    expect(error.message).toContain("gzip that cannot be unpacked");
    const asked = { server: "s", context: "c", what: "pods" };
    const { conn: _, server } = await serve(gzip(packed));
    const read = () => new Promise<http.IncomingMessage>((resolve) => http.get(server.url, resolve));
    expect((await failureOf(readBody(await read(), asked, 10_000))).code).toBe("api_answer_invalid");
    expect((await failureOf(readBody(await read(), asked, 10))).message).toContain("more than 10 bytes");
  });
});

describe("streams of lines", () => {
  const stream = (...chunks: (string | Buffer)[]): Answer => {
    return (_, response) => {
      for (const chunk of chunks) response.write(chunk);
    };
  };

  async function read(lines: AsyncIterable<string>): Promise<{ lines: string[]; error?: unknown }> {
    const got: string[] = [];
    try {
      for await (const line of lines) got.push(line);
    } catch (error) {
      return { lines: got, error };
    }
    return { lines: got };
  }

  test("gives whole lines, across chunks and inside characters", async () => {
    const [head, tail] = [Buffer.from('{"a":"ä').subarray(0, 7), Buffer.from('{"a":"ä').subarray(7)];
    const { conn } = await serve((_, response) => {
      response.write(head, () =>
        response.write(Buffer.concat([tail, Buffer.from('"}\n{"b":1}\n{"half"')]), () => response.end()),
      );
    });
    const lines = await conn.streamLines("/watch", { idleMs: 60_000 });
    expect(await read(lines)).toEqual({ lines: ['{"a":"ä"}', '{"b":1}'] });
  });

  test("a cut connection is cluster_unreachable, after the whole lines", async () => {
    const { conn } = await serve((_, response) => {
      response.write('{"a":1}\n{"ha', () => response.destroy());
    });
    const result = await read(await conn.streamLines("/watch", { idleMs: 60_000 }));
    expect(result.lines).toEqual(['{"a":1}']);
    expect(result.error).toMatchObject({ code: "cluster_unreachable" });
  });

  test("a stream outlives the deadline of its head, and silence for idleMs ends it", async () => {
    const { conn } = await serve(stream("one\n"));
    const lines = await conn.streamLines("/watch", { idleMs: 90_000, deadlineMs: 20_000 });
    const got: string[] = [];
    const reading = (async () => {
      for await (const line of lines) {
        got.push(line);
        clock.advance(89_000);
        expect(got).toEqual(["one"]);
        // Only the time spent waiting for the server counts; the watchdog starts anew after this line.
        setImmediate(() => clock.advance(90_000));
      }
    })();
    const error = await failureOf(reading);
    expect(error.code).toBe("cluster_unreachable");
    expect(error.message).toContain("silent for 90 s");
  });

  test.each([
    { name: "410", answer: status(410), code: "list_expired" },
    { name: "429, not repeated", answer: status(429), code: "cluster_busy" },
    { name: "403", answer: status(403), code: "cluster_forbidden" },
  ])("an answer of $name rejects before any line", async ({ answer, code }) => {
    const { conn, server } = await serve(answer);
    expect((await failureOf(conn.streamLines("/watch", { idleMs: 1_000 }))).code).toBe(code);
    expect(server.asked).toHaveLength(1);
  });

  test("leaving the loop closes the connection", async () => {
    let closed: Promise<void> | undefined;
    const { conn } = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once("close", () => resolve()));
      response.write("one\n");
    });
    for await (const line of await conn.streamLines("/watch", { idleMs: 60_000 })) {
      expect(line).toBe("one");
      break;
    }
    await closed;
  });

  test("an abort ends it with the signal's reason", async () => {
    const controller = new AbortController();
    const { conn } = await serve(stream("one\n"));
    const lines = await conn.streamLines("/watch", { idleMs: 60_000, signal: controller.signal });
    const reason = new Error("enough");
    await expect(
      (async () => {
        for await (const _ of lines) controller.abort(reason);
      })(),
    ).rejects.toBe(reason);
  });
});

/** An HTTP proxy that leads every CONNECT to `port` on loopback. */
async function startProxy(port: number): Promise<{ url: string; tunnels: string[]; close(): void }> {
  const tunnels: string[] = [];
  const server = http.createServer();
  server.on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    const target = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    const end = () => [socket, target].map((item) => item.destroy());
    socket.on("error", end).on("close", end);
    target.on("error", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, tunnels, close: () => server.closeAllConnections() ?? server.close() };
}
