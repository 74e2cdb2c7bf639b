import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import type { KubeConnection } from "../kube/connection.ts";
import { type Answer, type FakeServer, json, startFakeServer } from "../kube/testing/fake-server.ts";
import { createManualClock } from "../kube/testing/manual-clock.ts";
import { type OpenOptions, openContext } from "./open-context.ts";
import { readKubeconfig } from "./read-kubeconfig.ts";

let folder: string;
const open: { close(): unknown }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "context-"));
});
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
  rmSync(folder, { recursive: true });
});

const testdata = (name: string) => readFileSync(new URL(`../kube/testing/testdata/${name}`, import.meta.url), "utf8");
const base64 = (text: string) => Buffer.from(text).toString("base64");

function write(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
}

async function openWith(cluster: object, user?: object, options: OpenOptions = {}): Promise<KubeConnection> {
  const text = stringify({
    contexts: [{ name: "shop", context: { cluster: "c", user: user ? "u" : "" } }],
    clusters: [{ name: "c", cluster }],
    users: user ? [{ name: "u", user }] : [],
  });
  const kubeconfig = await readKubeconfig({ path: write("config", text), env: {} });
  const conn = await openContext(kubeconfig, "shop", { env: { PATH: process.env.PATH }, ...options });
  open.push(conn);
  return conn;
}

async function serve(answer: Answer = json({ ok: true })): Promise<FakeServer> {
  const server = await startFakeServer(answer);
  open.push(server);
  return server;
}

async function failureOf(promise: Promise<unknown>): Promise<PlimsollError> {
  const thrown = await promise.catch((error: unknown) => error);
  if (thrown instanceof PlimsollError) return thrown;
  throw new Error(`no coded error but ${String(thrown)}`);
}

/** The Authorization header that `user` leads to. */
async function authorizationOf(user: object | undefined, options: OpenOptions = {}): Promise<string | undefined> {
  const server = await serve();
  await (await openWith({ server: server.url }, user, options)).getJson("/version");
  return server.headers[0]?.authorization;
}

describe("ways to sign in", () => {
  test("a token", async () => {
    expect(await authorizationOf({ token: "abc" })).toBe("Bearer abc");
  });

  test("a token file wins over a token", async () => {
    expect(await authorizationOf({ token: "abc", tokenFile: write("token", "from-file\n") })).toBe("Bearer from-file");
  });

  test("user name and password", async () => {
    expect(await authorizationOf({ username: "ann", password: "pässword" })).toBe(`Basic ${base64("ann:pässword")}`);
  });

  test("the id-token of an OIDC provider entry", async () => {
    const provider = { name: "oidc", config: { "id-token": "jwt" } };
    expect(await authorizationOf({ "auth-provider": provider })).toBe("Bearer jwt");
  });

  test("nothing at all", async () => {
    expect(await authorizationOf(undefined)).toBeUndefined();
    expect(await authorizationOf({})).toBeUndefined();
  });

  test("impersonation", async () => {
    const server = await serve();
    const user = { token: "abc", as: "bob", "as-groups": ["ops", "dev"], "as-uid": "7" };
    await (await openWith({ server: server.url }, user)).getJson("/version");
    expect(server.headers[0]).toMatchObject({
      authorization: "Bearer abc",
      "impersonate-user": "bob",
      "impersonate-group": "ops, dev",
      "impersonate-uid": "7",
    });
  });

  test.each([
    {
      name: "as data",
      user: { "client-certificate-data": "client.crt", "client-key-data": "client.key" },
      encode: base64,
    },
    {
      name: "as files",
      user: { "client-certificate": "client.crt", "client-key": "client.key" },
      encode: (text: string) => write(text.includes("KEY") ? "k" : "c", text),
    },
  ])("a client certificate $name, with CA data and tls-server-name", async ({ user, encode }) => {
    const tls = {
      cert: testdata("server.crt"),
      key: testdata("server.key"),
      ca: testdata("ca.crt"),
      requestCert: true,
    };
    const server = await startFakeServer(json({ ok: true }), { ...tls, rejectUnauthorized: true });
    open.push(server);
    const entry = Object.fromEntries(Object.entries(user).map(([key, file]) => [key, encode(testdata(file))]));
    const ca = { "certificate-authority-data": base64(testdata("ca.crt")), "tls-server-name": "kube.test" };
    const conn = await openWith({ server: server.url, ...ca }, entry);
    await expect(conn.getJson("/version")).resolves.toEqual({ ok: true });
  });
});

describe("token files rotate under a running program", () => {
  test("a changed file is read at the next request", async () => {
    const server = await serve();
    const tokenFile = write("token", "one");
    const conn = await openWith({ server: server.url }, { tokenFile });
    await conn.getJson("/version");
    await conn.getJson("/version");
    writeFileSync(tokenFile, "two");
    utimesSync(tokenFile, new Date(), new Date(statSync(tokenFile).mtimeMs + 5_000));
    await conn.getJson("/version");
    expect(server.headers.map((header) => header.authorization)).toEqual(["Bearer one", "Bearer one", "Bearer two"]);
  });

  test("after a 401 it is read again even if its time did not change", async () => {
    const tokenFile = write("token", "one");
    // Whole milliseconds, so that the very same time can be set again.
    const time = new Date("2026-01-31T08:00:00Z");
    utimesSync(tokenFile, time, time);
    const server = await serve((request, response) => {
      const good = request.headers.authorization === "Bearer two";
      if (!good) {
        writeFileSync(tokenFile, "two");
        utimesSync(tokenFile, time, time);
      }
      json({ good }, good ? 200 : 401)(request, response);
    });
    const conn = await openWith({ server: server.url }, { tokenFile });
    await expect(conn.getJson("/version")).resolves.toEqual({ good: true });
    expect(server.asked).toHaveLength(2);
  });

  test("a token file that is gone is kubeconfig_invalid and names it", async () => {
    const conn = await openWith({ server: "http://127.0.0.1:1" }, { tokenFile: "gone" });
    const error = await failureOf(conn.getJson("/version"));
    expect(error.code).toBe("kubeconfig_invalid");
    expect(error.message).toContain(join(folder, "gone"));
  });
});

describe("credential plug-ins", () => {
  const V1 = "client.authentication.k8s.io/v1";

  /** A plug-in that prints `status` and writes its environment and arguments to a file, one line a run. */
  function plugin(
    status: object,
    apiVersion = V1,
  ): { command: string; runs(): { info: unknown; word: string; args: string }[] } {
    const log = join(folder, "runs.jsonl");
    writeFileSync(log, "");
    const answer = JSON.stringify({ apiVersion, kind: "ExecCredential", status });
    const command = write(
      "plugin",
      `#!/bin/sh\nprintf '{"info":%s,"word":"%s","args":"%s"}\\n' "$KUBERNETES_EXEC_INFO" "$WORD" "$*" >> '${log}'\necho '${answer}'\n`,
      0o700,
    );
    return {
      command,
      runs: () =>
        readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line)),
    };
  }

  test.each([V1, "client.authentication.k8s.io/v1beta1"])(
    "its token is used, its arguments and environment are given (%s)",
    async (apiVersion) => {
      const { command, runs } = plugin({ token: "from-plugin" }, apiVersion);
      const exec = { apiVersion, command, args: ["token", "--cluster", "x"], env: [{ name: "WORD", value: "hello" }] };
      expect(await authorizationOf({ exec })).toBe("Bearer from-plugin");
      expect(runs()).toEqual([
        {
          info: { apiVersion, kind: "ExecCredential", spec: { interactive: false } },
          word: "hello",
          args: "token --cluster x",
        },
      ]);
    },
  );

  test("it learns the cluster when it asks for it", async () => {
    const { command, runs } = plugin({ token: "t" });
    const server = await serve();
    const conn = await openWith(
      { server: server.url, "tls-server-name": "kube.test" },
      {
        exec: { apiVersion: V1, command, provideClusterInfo: true },
      },
    );
    await conn.getJson("/version");
    expect(runs()[0]?.info).toMatchObject({
      spec: { cluster: { server: server.url, "tls-server-name": "kube.test" } },
    });
  });

  test("one run serves requests side by side, until its answer expires", async () => {
    const clock = createManualClock(Date.parse("2026-01-31T08:00:00Z"));
    const { command, runs } = plugin({ token: "t", expirationTimestamp: "2026-01-31T08:15:00Z" });
    const server = await serve();
    const conn = await openWith({ server: server.url }, { exec: { apiVersion: V1, command } }, { clock });
    await Promise.all([conn.getJson("/a"), conn.getJson("/b"), conn.getJson("/c")]);
    clock.advance(14 * 60_000);
    await conn.getJson("/d");
    expect(runs()).toHaveLength(1);
    clock.advance(2 * 60_000);
    await conn.getJson("/e");
    expect(runs()).toHaveLength(2);
  });

  test("after a 401 it runs again, once", async () => {
    const { command, runs } = plugin({ token: "stale" });
    const server = await serve(json({}, 401));
    const conn = await openWith({ server: server.url }, { exec: { apiVersion: V1, command } });
    expect((await failureOf(conn.getJson("/version"))).code).toBe("cluster_unauthorized");
    expect(runs()).toHaveLength(2);
  });

  test("its client certificate is used", async () => {
    const tls = {
      cert: testdata("server.crt"),
      key: testdata("server.key"),
      ca: testdata("ca.crt"),
      requestCert: true,
    };
    const server = await startFakeServer(json({ ok: true }), { ...tls, rejectUnauthorized: true });
    open.push(server);
    const status = { clientCertificateData: testdata("client.crt"), clientKeyData: testdata("client.key") };
    const answer = JSON.stringify({ apiVersion: V1, kind: "ExecCredential", status });
    const file = write("answer.json", answer);
    const command = write("cat-plugin", `#!/bin/sh\ncat '${file}'\n`, 0o700);
    const conn = await openWith(
      { server: server.url, "insecure-skip-tls-verify": true },
      { exec: { apiVersion: V1, command, interactiveMode: "Never" } },
    );
    await expect(conn.getJson("/version")).resolves.toEqual({ ok: true });
  });

  test.each([
    {
      name: "it is not installed",
      script: undefined,
      more: { installHint: "see\nhttps://example.com/install" },
      reason: "it is not installed (https://example.com/install)",
    },
    {
      name: "it fails",
      script: "echo noise >&2; echo 'token has expired, run: login' >&2; exit 3",
      reason: "token has expired, run: login",
    },
    { name: "it fails silently", script: "exit 3", reason: "it ended with exit code 3" },
    { name: "it prints no JSON", script: "echo secret-token", reason: "it printed no JSON" },
    {
      name: "it prints another version",
      script: `echo '{"apiVersion":"v9","status":{"token":"secret"}}'`,
      reason: `it answered v9, not ${V1}`,
    },
    {
      name: "it prints no credential",
      script: `echo '{"apiVersion":"${V1}","status":{}}'`,
      reason: "neither a token nor a certificate",
    },
    {
      name: "its credential ends at no time",
      script: `echo '{"apiVersion":"${V1}","status":{"token":"secret","expirationTimestamp":"soon"}}'`,
      reason: 'its credential ends at "soon", which is no time',
    },
    {
      name: "it must ask and nobody is there",
      script: "exit 0",
      more: { interactiveMode: "Always" },
      reason: "it needs a terminal",
    },
    {
      name: "its version is unknown",
      script: "exit 0",
      more: { apiVersion: "client.authentication.k8s.io/v1alpha1" },
      reason: "v1alpha1 is none that Plimsoll knows",
    },
  ])("credential_plugin_failed when $name", async ({ script, more, reason }) => {
    const command = script === undefined ? "no-such-plugin-anywhere" : write("plugin", `#!/bin/sh\n${script}\n`, 0o700);
    const conn = await openWith({ server: "http://127.0.0.1:1" }, { exec: { apiVersion: V1, command, ...more } });
    const error = await failureOf(conn.getJson("/version"));
    expect(error.code).toBe("credential_plugin_failed");
    expect(error.message).toContain(command);
    expect(error.message).toContain(reason);
    expect(JSON.stringify([error.message, error.fields])).not.toContain("secret");
  });

  test("a request's deadline ends the wait for it; closing the connection ends the plug-in", async () => {
    const pidFile = join(folder, "pid");
    const command = write("plugin", `#!/bin/sh\necho $$ > '${pidFile}'\nexec sleep 60\n`, 0o700);
    const conn = await openWith({ server: "http://127.0.0.1:1" }, { exec: { apiVersion: V1, command } });
    const error = await failureOf(conn.getJson("/version", { deadlineMs: 300 }));
    expect(error.code).toBe("credential_plugin_failed");
    expect(error.message).toContain("it had not ended when the time for this cluster was up");
    conn.close();
    const pid = Number(readFileSync(pidFile, "utf8"));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("a plug-in that ignores the end of its run is killed after a short grace", async () => {
    const pidFile = join(folder, "stubborn-pid");
    const command = write("plugin", `#!/bin/sh\ntrap '' TERM\necho $$ > '${pidFile}'\nexec sleep 60\n`, 0o700);
    const clock = createManualClock(0, 0);
    const conn = await openWith({ server: "http://127.0.0.1:1" }, { exec: { apiVersion: V1, command } }, { clock });
    const ended = failureOf(conn.getJson("/version"));
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8")).toMatch(/\d/);
    const pid = Number(readFileSync(pidFile, "utf8"));
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
    conn.close();
    await ended.catch(() => undefined);
    expect(isAlive(pid)).toBe(true);
    clock.advance(1_000);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a context that cannot be opened says why", () => {
  const bad = { server: "https://a" };
  test.each<{ name: string; cluster: object; user?: object; reason: string }>([
    { name: "no server", cluster: {}, reason: 'the server of context shop is ""' },
    {
      name: "a strange server",
      cluster: { server: "ftp://a" },
      reason: 'is "ftp://a", which is no http or https address',
    },
    {
      name: "a SOCKS proxy",
      cluster: { ...bad, "proxy-url": "socks5://p" },
      reason: "the proxy of context shop (proxy-url or HTTPS_PROXY) is no http",
    },
    {
      name: "a CA that is no certificate",
      cluster: { ...bad, "certificate-authority-data": base64("x") },
      reason: "is no PEM certificate",
    },
    {
      name: "a CA file that is gone",
      cluster: { ...bad, "certificate-authority": "gone.crt" },
      reason: "cannot be read (ENOENT)",
    },
    {
      name: "a legacy provider",
      cluster: bad,
      user: { "auth-provider": { name: "gcp" } },
      reason: "auth-provider gcp",
    },
  ])("$name", async ({ cluster, user, reason }) => {
    const error = await failureOf(openWith(cluster, user));
    expect(error.code).toBe("kubeconfig_invalid");
    expect(error.message).toContain(reason);
  });

  test.each([
    {
      name: "a certificate without key",
      user: { "client-certificate-data": base64("x") },
      reason: "certificate without key",
    },
    {
      name: "a key that is none",
      user: { "client-certificate-data": base64("x"), "client-key-data": base64("y") },
      reason: "the client certificate or key of user u cannot be used",
    },
    { name: "a token with a line break", user: { token: "a\nb" }, reason: "user u signs in with holds a line break" },
    {
      name: "a group with one",
      user: { token: "t", as: "ann", "as-groups": ["a\nb"] },
      reason: "user u signs in with",
    },
  ])("$name, at the first request", async ({ user, reason }) => {
    const error = await failureOf((await openWith({ server: "https://127.0.0.1:1" }, user)).getJson("/version"));
    expect(error.code).toBe("kubeconfig_invalid");
    expect(error.message).toContain(reason);
  });

  test("an unknown context is context_unknown and names the known ones; missing entries are named", async () => {
    const text = stringify({
      contexts: [
        { name: "no-cluster", context: { cluster: "gone", user: "u" } },
        { name: "no-user", context: { cluster: "c", user: "gone" } },
      ],
      clusters: [{ name: "c", cluster: { server: "https://a" } }],
    });
    const kubeconfig = await readKubeconfig({ path: write("config", text), env: {} });
    const unknown = await failureOf(openContext(kubeconfig, "shop"));
    expect(unknown.code).toBe("context_unknown");
    expect(unknown.message).toContain("no-cluster, no-user");
    const missing = await Promise.all(
      ["no-cluster", "no-user"].map((name) => failureOf(openContext(kubeconfig, name))),
    );
    expect(missing.map((error) => String(error.fields.reason))).toEqual([
      'context no-cluster names cluster "gone", which is not in it',
      'context no-user names user "gone", which is not in it',
    ]);
  });

  test("a password in the address never shows", async () => {
    const conn = await openWith({ server: "http://ann:secret@127.0.0.1:1/base/?x=1" });
    expect(conn.server).toBe("http://127.0.0.1:1/base");
    expect((await failureOf(conn.getJson("/version"))).message).not.toContain("secret");
  });
});
