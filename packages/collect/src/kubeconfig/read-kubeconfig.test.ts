import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { inspect } from "node:util";
import { PlimsollError } from "@plimsoll/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readKubeconfig } from "./read-kubeconfig.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const config = (context: string, server: string) => `
apiVersion: v1
kind: Config
current-context: ${context}
contexts:
- name: ${context}
  context: {cluster: ${context}, user: ${context}, namespace: team}
clusters:
- name: ${context}
  cluster: {server: "${server}"}
users:
- name: ${context}
  user: {token: secret-token}
`;

async function failureOf(promise: Promise<unknown>): Promise<PlimsollError> {
  const thrown = await promise.catch((error: unknown) => error);
  if (thrown instanceof PlimsollError) return thrown;
  throw new Error(`no coded error but ${inspect(thrown)}`);
}

describe("where a kubeconfig is looked for", () => {
  test("the named file and nothing else", async () => {
    const path = write("named", config("a", "https://a:6443"));
    const other = write("other", config("b", "https://b:6443"));
    const kubeconfig = await readKubeconfig({ path, env: { KUBECONFIG: other } });
    expect(kubeconfig.contexts).toEqual([
      { name: "a", cluster: "a", user: "a", namespace: "team", server: "https://a:6443" },
    ]);
    expect(kubeconfig.paths).toEqual([path]);
    expect(kubeconfig.currentContext).toBe("a");
  });

  test("the files of KUBECONFIG merged: the first to name something wins, missing files are skipped", async () => {
    const first = write("first", config("a", "https://first"));
    const second = write("second", config("a", "https://second"));
    const third = write("third", config("b", "https://third"));
    const env = { KUBECONFIG: [first, join(folder, "absent"), second, third, first].join(delimiter) };
    const kubeconfig = await readKubeconfig({ env });
    expect(kubeconfig.contexts.map(({ name, server }) => `${name} ${server}`)).toEqual([
      "a https://first",
      "b https://third",
    ]);
    expect(kubeconfig.paths).toEqual([first, second, third]);
    expect(kubeconfig.currentContext).toBe("a");
  });

  test("else ~/.kube/config", async () => {
    mkdirSync(join(folder, ".kube"));
    write(".kube/config", config("home", "https://home"));
    const kubeconfig = await readKubeconfig({ env: { HOME: folder } });
    expect(kubeconfig.contexts[0]?.name).toBe("home");
  });

  test("else the service account of the pod", async () => {
    write("token", "t");
    const env = { HOME: folder, KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const kubeconfig = await readKubeconfig({ env, serviceAccountFolder: folder });
    expect(kubeconfig.contexts).toMatchObject([{ name: "in-cluster", server: "https://[fd00::1]:443" }]);
    expect(kubeconfig.userEntry("in-cluster")).toEqual({ tokenFile: join(folder, "token") });
  });

  test("else kubeconfig_missing names every place and what can be scanned without one", async () => {
    const error = await failureOf(readKubeconfig({ env: { HOME: folder }, serviceAccountFolder: folder }));
    expect(error.code).toBe("kubeconfig_missing");
    expect(error.message).toContain(join(folder, ".kube", "config"));
    expect(error.remedy).toContain("--from-dump examples/dump");
    const named = await failureOf(readKubeconfig({ path: "/nowhere/at-all", env: {} }));
    expect(named.message).toContain("/nowhere/at-all");
  });
});

describe("what is no kubeconfig is refused with its reason", () => {
  test.each([
    { name: "an empty file", text: "", reason: "it is empty" },
    { name: "only a comment", text: "# nothing", reason: "it is empty" },
    { name: "broken YAML", text: "contexts: [", reason: "line 1" },
    { name: "a text", text: "hello world", reason: "it is a text, not an object" },
    { name: "an HTML page", text: "<html><body>Sign in</body></html>", reason: "it is a text, not an object" },
    { name: "another kind", text: "kind: Pod\nmetadata: {name: a}", reason: "its kind is Pod, not Config" },
    { name: "some other JSON", text: '{"a": 1}', reason: "it has no contexts, clusters or users" },
    { name: "a list instead of names", text: "contexts: {a: {}}", reason: "contexts is an object, not a list" },
    {
      name: "a context without name",
      text: "contexts: [{context: {cluster: a}}]",
      reason: "contexts[0].name is missing",
    },
    {
      name: "one name twice",
      text: "contexts: [{name: a, context: {}}, {name: a, context: {}}]",
      reason: "it has two entries for context a",
    },
    {
      name: "a number as token",
      text: "users: [{name: a, user: {token: 12}}]",
      reason: "users[0].user.token is a number",
    },
    {
      name: "an unknown interactiveMode",
      text: "users: [{name: a, user: {exec: {apiVersion: v1, command: c, interactiveMode: Perhaps}}}]",
      reason: "interactiveMode is Perhaps",
    },
    { name: "no context", text: "kind: Config\ncontexts: []", reason: "it has no contexts" },
  ])("$name", async ({ text, reason }) => {
    const path = write("config", text);
    const error = await failureOf(readKubeconfig({ path, env: {} }));
    expect(error.code).toBe("kubeconfig_invalid");
    expect(error.message).toContain(path);
    expect(error.message).toContain(reason);
  });

  test("a folder", async () => {
    const error = await failureOf(readKubeconfig({ path: folder, env: {} }));
    expect(error.message).toBe(`${folder} is no usable kubeconfig: it is a folder`);
  });
});

describe("entries", () => {
  test("JSON is read as well as YAML", async () => {
    const path = write("config.json", JSON.stringify({ contexts: [{ name: "j", context: { cluster: "c" } }] }));
    expect((await readKubeconfig({ path, env: {} })).contexts).toMatchObject([{ name: "j", cluster: "c", user: "" }]);
  });

  test("an empty text is as good as none, as with kubectl", async () => {
    const cluster = { server: "https://a", "certificate-authority-data": "", "tls-server-name": "", "proxy-url": "" };
    const path = write("empty.json", JSON.stringify({ contexts: [{ name: "a" }], clusters: [{ name: "a", cluster }] }));
    const entry = (await readKubeconfig({ path, env: {} })).clusterEntry("a");
    expect(JSON.parse(JSON.stringify(entry))).toEqual({ server: "https://a" });
  });

  test("relative paths count from the folder of their file, a bare command from PATH", async () => {
    const path = write(
      "config",
      `
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "https://a", certificate-authority: pki/ca.crt}}]
users:
- name: a
  user: {client-certificate: ./a.crt, client-key: /abs/a.key, tokenFile: token, exec: {apiVersion: v1, command: ./bin/login}}
- name: b
  user: {exec: {apiVersion: v1, command: aws}}`,
    );
    const kubeconfig = await readKubeconfig({ path, env: {} });
    expect(kubeconfig.clusterEntry("a")?.certificateAuthorityFile).toBe(join(folder, "pki/ca.crt"));
    expect(kubeconfig.userEntry("a")).toMatchObject({
      clientCertificateFile: join(folder, "a.crt"),
      clientKeyFile: "/abs/a.key",
      tokenFile: join(folder, "token"),
      exec: { command: join(folder, "bin/login"), interactiveMode: "IfAvailable", args: [], env: [] },
    });
    expect(kubeconfig.userEntry("b")?.exec?.command).toBe("aws");
  });

  test("a server without a scheme is https where TLS is set up, as with kubectl", async () => {
    const path = write(
      "config",
      `
contexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: b}}, {name: c, context: {cluster: gone}}]
clusters: [{name: a, cluster: {server: "a:6443", insecure-skip-tls-verify: true}}, {name: b, cluster: {server: "b:8080"}}]`,
    );
    const { contexts } = await readKubeconfig({ path, env: {} });
    expect(contexts.map((context) => context.server)).toEqual(["https://a:6443", "http://b:8080", undefined]);
  });

  test("neither JSON nor a log of it shows a credential", async () => {
    const kubeconfig = await readKubeconfig({ path: write("config", config("a", "https://a")), env: {} });
    expect(kubeconfig.userEntry("a")?.token).toBe("secret-token");
    expect(JSON.stringify(kubeconfig) + inspect(kubeconfig, { depth: 9, showHidden: true })).not.toContain("secret");
  });
});
