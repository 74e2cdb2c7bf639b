import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { ClusterInfo, ClusterTokens } from "./cluster-types.ts";

/** How a context signs in. */
export type Credentials =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "certificate"; readonly certFile: string; readonly keyFile: string }
  | { readonly kind: "exec"; readonly command: string; readonly args?: readonly string[] }
  | { readonly kind: "none" };

/** One context with its own cluster and user entry. */
export interface KubeconfigContext {
  readonly name: string;
  readonly server: string;
  /** PEM file of the CA, embedded as data; absent: the system's roots. */
  readonly caFile?: string;
  readonly credentials: Credentials;
  readonly namespace?: string;
}

/** Writes a kubeconfig (mode 600) with these contexts, the first being the current one. Gives back `path`. */
export function writeKubeconfig(path: string, contexts: readonly KubeconfigContext[]): string {
  const text = (value: string) => JSON.stringify(value);
  const lines = ["apiVersion: v1", "kind: Config", `current-context: ${text(contexts[0]?.name ?? "")}`, "clusters:"];
  for (const context of contexts) {
    lines.push(`- name: ${text(context.name)}`, "  cluster:", `    server: ${text(context.server)}`);
    if (context.caFile !== undefined) lines.push(`    certificate-authority-data: ${base64(context.caFile)}`);
  }
  lines.push("contexts:");
  for (const { name, namespace } of contexts) {
    lines.push(`- name: ${text(name)}`, "  context:", `    cluster: ${text(name)}`, `    user: ${text(name)}`);
    if (namespace !== undefined) lines.push(`    namespace: ${text(namespace)}`);
  }
  lines.push("users:");
  for (const { name, credentials } of contexts) lines.push(`- name: ${text(name)}`, ...userLines(credentials));
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  return path;
}

/** A context of a running cluster, signed in with one of its tokens (default: admin). */
export function contextOf(
  cluster: ClusterInfo,
  options: { readonly name?: string; readonly token?: keyof ClusterTokens } = {},
): KubeconfigContext {
  const credentials: Credentials = { kind: "token", token: cluster.tokens[options.token ?? "admin"] };
  return { name: options.name ?? cluster.name, server: cluster.server, caFile: cluster.caFile, credentials };
}

/** A context whose address refuses connections (loopback, port 1). */
export function deadContext(name: string): KubeconfigContext {
  return { name, server: "https://127.0.0.1:1", credentials: { kind: "token", token: "unused" } };
}

/** A context whose address accepts connections and never says a word, so that only a deadline ends the wait. */
export async function silentContext(name: string): Promise<KubeconfigContext & { close(): Promise<void> }> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port for the silent server");
  return {
    name,
    server: `https://127.0.0.1:${address.port}`,
    credentials: { kind: "token", token: "unused" },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function userLines(credentials: Credentials): string[] {
  switch (credentials.kind) {
    case "token":
      return ["  user:", `    token: ${JSON.stringify(credentials.token)}`];
    case "certificate":
      return [
        "  user:",
        `    client-certificate-data: ${base64(credentials.certFile)}`,
        `    client-key-data: ${base64(credentials.keyFile)}`,
      ];
    case "exec":
      return [
        "  user:",
        "    exec:",
        "      apiVersion: client.authentication.k8s.io/v1",
        "      interactiveMode: Never",
        `      command: ${JSON.stringify(credentials.command)}`,
        `      args: ${JSON.stringify(credentials.args ?? [])}`,
      ];
    case "none":
      return ["  user: {}"];
  }
}

function base64(path: string): string {
  return readFileSync(path).toString("base64");
}
