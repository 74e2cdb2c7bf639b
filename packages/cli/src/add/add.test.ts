import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FixtureHub, startFixtureHub } from "../rest/testing/fixture-hub.ts";
import { SAMPLE_CLUSTERS } from "../rest/testing/sample-fleet.ts";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

const CONFIG = `
apiVersion: v1
kind: Config
current-context: one
contexts:
- { name: one, context: { cluster: a, user: ua } }
- { name: two, context: { cluster: b, user: ub } }
- { name: plugin, context: { cluster: b, user: exec } }
- { name: orphan, context: { cluster: gone, user: ub } }
clusters:
- { name: a, cluster: { server: "https://a.example:6443", certificate-authority: ca.pem, tls-server-name: inner } }
- { name: b, cluster: { server: "https://b.example:6443", insecure-skip-tls-verify: true } }
users:
- { name: ua, user: { tokenFile: token, client-certificate: cert.pem, client-key: key.pem } }
- { name: ub, user: { token: secret-of-two, as: someone } }
- { name: exec, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: aws, args: [--secret-arg], env: [{ name: K, value: secret-env }] } } }
`;

let hub: FixtureHub;
let folder = "";
beforeAll(async () => {
  hub = await startFixtureHub();
  hub.answer("/api/v1/clusters", { status: 201, body: SAMPLE_CLUSTERS[1] });
  folder = await mkdtemp(join(tmpdir(), "plimsoll-add-"));
  const files = { config: CONFIG, "ca.pem": "CA", token: "token-of-one\n", "cert.pem": "CERT", "key.pem": "KEY" };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  hub.seen.length = 0;
});

async function ran(...args: string[]) {
  const { terminal, out, err } = testingTerminal({}, { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: "t" });
  const all = ["add", "--kubeconfig", join(folder, "config"), ...args];
  const code = await run(all, { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err(), sent: hub.seen.map(({ body }) => JSON.parse(body)) };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("add", () => {
  test("sends one context with its files written into it, and names what was added", async () => {
    const { code, out, sent } = await ran();
    expect(code).toBe(0);
    expect(out).toMatch(/^Added pay-prod-hangzhou-02 \(01936b9e-.+\): the hub reads it itself\./);
    expect(sent[0]).toMatchObject({ context: "one" });
    expect(JSON.parse(sent[0].kubeconfig)).toEqual({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "one",
      contexts: [{ name: "one", context: { cluster: "one", user: "one" } }],
      clusters: [
        {
          name: "one",
          cluster: {
            server: "https://a.example:6443",
            "certificate-authority-data": base64("CA"),
            "tls-server-name": "inner",
          },
        },
      ],
      users: [
        {
          name: "one",
          user: {
            token: "token-of-one",
            "client-certificate-data": base64("CERT"),
            "client-key-data": base64("KEY"),
          },
        },
      ],
    });
  });

  test("sends nothing of the other contexts", async () => {
    const { sent } = await ran("--context", "one", "--name", "mine");
    expect(sent[0].name).toBe("mine");
    expect(JSON.stringify(sent)).not.toMatch(/secret|b\.example/);
  });

  test("keeps impersonation and the wish not to check a certificate", async () => {
    const config = JSON.parse((await ran("--context", "two")).sent[0].kubeconfig);
    expect(config.users[0].user).toEqual({ token: "secret-of-two", as: "someone" });
    expect(config.clusters[0].cluster["insecure-skip-tls-verify"]).toBe(true);
  });

  test("names a plug-in, for the hub to refuse it, without its arguments and environment", async () => {
    const { sent } = await ran("--context", "plugin");
    expect(JSON.parse(sent[0].kubeconfig).users[0].user.exec).toEqual({
      apiVersion: "client.authentication.k8s.io/v1",
      command: "aws",
    });
    expect(JSON.stringify(sent)).not.toContain("secret");
  });

  test.each([
    ["nothing", 2, "context_unknown"],
    ["orphan", 1, "kubeconfig_invalid"],
  ])("refuses the context %s before anything is sent", async (context, exitCode, code) => {
    const { sent, ...answer } = await ran("--context", context);
    expect([answer.code, sent]).toEqual([exitCode, []]);
    expect(answer.err).toContain(`error ${code}: `);
  });
});
