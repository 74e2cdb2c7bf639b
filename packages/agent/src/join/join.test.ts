import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@plimsoll/collect";
import type { JoinAnswer } from "@plimsoll/contracts/rest";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentSettings, completeConfig } from "../config/agent-config.ts";
import { openStateFolder, type StateFolder } from "../state/state-folder.ts";
import { createTestAuthority, type TestAuthority } from "../testing/test-authority.ts";
import { makeCertificateRequest } from "./certificate-request.ts";
import { type IdentityNeeds, obtainIdentity, refuseOtherCluster } from "./identity.ts";
import { parseJoinToken } from "./join-token.ts";

let authority: TestAuthority;
let path: string;
let folder: StateFolder;
const open: { close(): unknown }[] = [];
beforeAll(async () => {
  authority = await createTestAuthority();
});
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "plimsoll-join-"));
  folder = await openStateFolder(join(path, "state"));
});
afterEach(async () => {
  for (const server of open.splice(0)) server.close();
  await rm(path, { recursive: true });
});

const SECRET = "s".repeat(43);
const tokenOf = (sha256: string): string => `plj1.${SECRET}.${sha256}`;

type Answer = (body: { csr: string; fingerprint: string; token: string }) => Promise<{ status: number; body: unknown }>;

/** What a hub answers to a good request. */
const accept: Answer = async ({ csr, fingerprint }) => {
  const answer: JoinAnswer = {
    clusterId: "c-1",
    clusterName: "prod-eu",
    incarnation: 1,
    certificate: await authority.signRequest(csr, `c-1 ${fingerprint}`),
    caBundle: authority.certificate,
    controlAddress: "127.0.0.1:9",
    ingestAddress: "127.0.0.1:9",
    serverName: "plimsoll-hub",
  };
  return { status: 200, body: answer };
};

const refuse =
  (status: number, code: string): Answer =>
  async () => ({
    status,
    body: {
      type: "about:blank",
      title: "no",
      status,
      detail: "used before",
      code,
      remedy: "make another",
      requestId: "1",
    },
  });

/** A hub's REST port: over https with a certificate of `names`, or plain. Gives its address and the bodies that came. */
async function serve(answer: Answer, names?: readonly string[], chain = true) {
  const bodies: { token: string; csr: string; fingerprint: string }[] = [];
  const listener: http.RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    const { status, body: reply } = await answer(body);
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof reply === "string" ? reply : JSON.stringify(reply));
  };
  const keyed = names && (await authority.issueServer(names));
  const server = keyed
    ? https.createServer(
        { key: keyed.key, cert: `${keyed.certificate}\n${chain ? authority.certificate : ""}` },
        listener,
      )
    : http.createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `${keyed ? "https" : "http"}://127.0.0.1:${port}`, bodies };
}

function obtain(settings: Partial<AgentSettings>, needs: Partial<IdentityNeeds> = {}) {
  return obtainIdentity({
    config: completeConfig({
      hubUrl: "http://127.0.0.1:1",
      stateDir: folder.path,
      joinToken: tokenOf(authority.sha256),
      ...settings,
    }),
    folder,
    agentVersion: "0.1.0",
    readFingerprint: async () => "fingerprint-1",
    clock: systemClock,
    random: () => 0,
    log: () => {},
    signal: AbortSignal.timeout(10_000),
    ...needs,
  });
}

describe("an agent joins", () => {
  test("a hub whose certificate is of the authority that the token names", async () => {
    const hub = await serve(accept, ["127.0.0.1"]);
    const identity = await obtain({ hubUrl: hub.url });
    expect(identity).toMatchObject({ clusterId: "c-1", clusterName: "prod-eu", fingerprint: "fingerprint-1" });
    expect(hub.bodies).toMatchObject([
      { token: tokenOf(authority.sha256), fingerprint: "fingerprint-1", agentVersion: "0.1.0" },
    ]);
    const certificate = new X509Certificate(identity.certificate);
    expect(certificate.checkPrivateKey(createPrivateKey(identity.privateKey))).toBe(true);
  });

  test("over plain http on loopback", async () => {
    const hub = await serve(accept);
    expect(await obtain({ hubUrl: hub.url })).toMatchObject({ clusterId: "c-1" });
  });

  test("once: key and certificate are kept, readable by their owner only", async () => {
    const hub = await serve(accept);
    const first = await obtain({ hubUrl: hub.url });
    const again = await obtain({ hubUrl: hub.url, joinToken: null });
    expect(again).toEqual(first);
    expect(hub.bodies).toHaveLength(1);
    for (const name of ["agent.key", "identity.json"]) expect((await stat(folder.file(name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
    expect(await readFile(folder.file("identity.json"), "utf8")).not.toContain("PRIVATE KEY");
  });

  test("again with the same key when the answer was lost, or the certificate has run out", async () => {
    const hub = await serve(accept);
    const first = await obtain({ hubUrl: hub.url });
    await rm(folder.file("identity.json"));
    const second = await obtain({ hubUrl: hub.url });
    expect(second.privateKey).toBe(first.privateKey);
    const kept = JSON.parse(await readFile(folder.file("identity.json"), "utf8"));
    const request = makeCertificateRequest(createPrivateKey(first.privateKey), "x");
    const expired = await authority.signRequest(request, "c-1", -0.5);
    await writeFile(folder.file("identity.json"), JSON.stringify({ ...kept, certificate: expired }));
    await obtain({ hubUrl: hub.url });
    expect(hub.bodies).toHaveLength(3);
  });

  test("after the hub or the cluster answered nothing for a while", async () => {
    let down = 2;
    const hub = await serve(async (body) => (down-- > 0 ? refuse(503, "store_unavailable")(body) : accept(body)));
    expect(await obtain({ hubUrl: hub.url })).toMatchObject({ clusterId: "c-1" });
    expect(hub.bodies).toHaveLength(3);
  });
});

describe("joining ends with a code, and the token is not sent, when", () => {
  test.each([
    [
      "another authority signed the hub's certificate",
      { names: ["127.0.0.1"], sha256: "0".repeat(64) },
      "hub_untrusted",
    ],
    ["the certificate is for another name", { names: ["10.1.2.3"] }, "hub_untrusted"],
    ["the hub does not show its authority", { names: ["127.0.0.1"], chain: false }, "hub_untrusted"],
  ])(
    "%s",
    async (_, {
      names,
      sha256 = authority.sha256,
      chain = true,
    }: { names: string[]; sha256?: string; chain?: boolean }, code) => {
      const hub = await serve(accept, names, chain);
      await expect(obtain({ hubUrl: hub.url, joinToken: tokenOf(sha256) })).rejects.toMatchObject({ code });
      expect(hub.bodies).toEqual([]);
    },
  );

  test.each([
    ["http://hub.example", "hub_url_invalid"],
    ["ftp://127.0.0.1", "hub_url_invalid"],
    ["https://me:secret@hub.example", "hub_url_invalid"],
    ["hub", "hub_url_invalid"],
  ])("the address is %s", async (hubUrl, code) => {
    await expect(obtain({ hubUrl })).rejects.toMatchObject({ code });
  });

  test.each([
    [null, "join_token_missing"],
    ["secret", "join_token_malformed"],
    [`plj1.${SECRET}`, "join_token_malformed"],
  ])("the token is %s", async (joinToken, code) => {
    const error = await obtain({ joinToken }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain(SECRET);
  });
});

describe("joining ends with a code when", () => {
  test.each<[string, Answer, string]>([
    ["the hub refuses", refuse(409, "join_token_used"), "join_refused"],
    ["the answer is of something else", async () => ({ status: 200, body: "<html>" }), "hub_answer_invalid"],
    ["the answer lacks fields", async () => ({ status: 200, body: { clusterId: "c" } }), "hub_answer_invalid"],
  ])("%s", async (_, answer, code) => {
    const hub = await serve(answer);
    const error = await obtain({ hubUrl: hub.url }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    if (code === "join_refused") expect(error).toMatchObject({ remedy: "make another" });
  });

  test("the cluster is known under another name than the one expected", async () => {
    const hub = await serve(accept);
    const expected = { hubUrl: hub.url, clusterName: "prod-us" };
    await expect(obtain(expected)).rejects.toMatchObject({ code: "join_other_name" });
    await expect(obtain(expected)).rejects.toMatchObject({ code: "join_other_name" });
  });

  test("the folder belongs to another cluster", async () => {
    const hub = await serve(accept);
    const identity = await obtain({ hubUrl: hub.url });
    expect(() => refuseOtherCluster(identity, "fingerprint-1", folder)).not.toThrow();
    expect(() => refuseOtherCluster(identity, "fingerprint-2", folder)).toThrow("prod-eu");
  });

  test("it is aborted, with the signal's reason", async () => {
    const hub = await serve(refuse(503, "store_unavailable"));
    const controller = new AbortController();
    const joining = obtain({ hubUrl: hub.url }, { signal: controller.signal, random: () => 0.9 });
    await expect.poll(() => hub.bodies.length).toBeGreaterThan(0);
    controller.abort(new Error("Ctrl-C"));
    await expect(joining).rejects.toThrow("Ctrl-C");
  });
});

describe("a state folder", () => {
  test("is one process's and one agent's", async () => {
    await expect(openStateFolder(folder.path)).rejects.toMatchObject({ code: "state_busy" });
    await folder.release();
    await expect(openStateFolder(folder.path)).resolves.toBeDefined();
  });

  test.each([
    ["a process that is no more", JSON.stringify({ pid: 2 ** 22 + 1, started: "1" })],
    ["a process of the same number that started at another time", JSON.stringify({ pid: process.pid, started: "1" })],
    ["a crash in the middle of taking it", '{"pid":'],
  ])("is taken over from %s", async (_, lock) => {
    await writeFile(folder.file("lock"), lock);
    await expect(openStateFolder(folder.path)).resolves.toBeDefined();
  });

  test("that cannot be made is named with the reason", async () => {
    await writeFile(join(path, "file"), "");
    await expect(openStateFolder(join(path, "file"))).rejects.toMatchObject({ code: "state_unusable" });
  });
});

test("a certificate request of any name is one that others read and find signed", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  for (const name of ["a", "plimsoll-agent", "ü".repeat(60), "x".repeat(300)]) {
    await expect(authority.signRequest(makeCertificateRequest(privateKey, name), "c")).resolves.toContain(
      "CERTIFICATE",
    );
  }
  expect(parseJoinToken(` ${tokenOf("a".repeat(64))}\n`).caSha256).toBe("a".repeat(64));
});
