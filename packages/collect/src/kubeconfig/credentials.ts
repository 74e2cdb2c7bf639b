import { createSecureContext } from "node:tls";
import { PlimsollError } from "@plimsoll/contracts";
import type { Clock } from "../kube/clock.ts";
import type { Credential, CredentialSource } from "../kube/credential.ts";
import { http } from "../kube/node-http.ts";
import { createExecSource } from "./exec-source.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig.ts";
import { createWatchedFile, type WatchedFile } from "./watched-file.ts";

/** Who signs in, and around what. */
export interface SignIn {
  readonly user: UserEntry;
  readonly userName: string;
  readonly context: string;
  readonly cluster: ClusterEntry;
  /** Where the entry stands, for errors. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interactive: boolean;
  readonly clock: Clock;
}

/**
 * The credentials of a user entry. A token (file before text) or basic sign-in wins over a plug-in's token; certificates
 * go with either. Files are read at each use when they changed. Throws kubeconfig_invalid for a sign-in that no current
 * kubectl offers; a file that cannot be read rejects `current` with kubeconfig_invalid.
 */
export function createCredentialSource(signIn: SignIn): CredentialSource {
  const { user, context, cluster, env, interactive, clock } = signIn;
  refuseLegacyProvider(signIn);
  const files = openFiles(user);
  const plugin = user.exec && createExecSource({ entry: user.exec, context, cluster, env, interactive, clock });
  let held: { key: string; credential: Credential } | undefined;
  return {
    async current(signal) {
      const own = await readOwn(signIn, files);
      const fromPlugin = await plugin?.current(signal);
      const credential = join(own, fromPlugin, user.impersonation);
      const key = JSON.stringify(credential);
      if (held?.key === key) return held.credential;
      checkCertificate(signIn, credential);
      checkHeaders(signIn, credential);
      held = { key, credential };
      return credential;
    },
    refused() {
      files.token?.forget();
      plugin?.forget();
      return plugin !== undefined || files.token !== undefined;
    },
    close: () => plugin?.close(),
  };
}

interface UserFiles {
  readonly token?: WatchedFile;
  readonly cert?: WatchedFile;
  readonly key?: WatchedFile;
}

function openFiles(user: UserEntry): UserFiles {
  const open = (path: string | undefined, data: string | undefined) =>
    path !== undefined && data === undefined ? createWatchedFile(path) : undefined;
  return {
    token: open(user.tokenFile, undefined),
    cert: open(user.clientCertificateFile, user.clientCertificateData),
    key: open(user.clientKeyFile, user.clientKeyData),
  };
}

async function readOwn(signIn: SignIn, files: UserFiles): Promise<Credential> {
  const { user } = signIn;
  const token = (await readFileOf(files.token, user.tokenFile, signIn)) ?? user.token ?? user.authProvider?.idToken;
  const cert = decode(user.clientCertificateData) ?? (await readFileOf(files.cert, user.clientCertificateFile, signIn));
  const key = decode(user.clientKeyData) ?? (await readFileOf(files.key, user.clientKeyFile, signIn));
  if ((cert === undefined) !== (key === undefined)) {
    throw invalid(
      signIn,
      `user ${signIn.userName} has a client ${cert ? "certificate without key" : "key without certificate"}`,
    );
  }
  const authorization = token ? `Bearer ${token}` : basic(user);
  return {
    headers: authorization === undefined ? undefined : { authorization },
    clientCertificate: cert !== undefined && key !== undefined ? { cert, key } : undefined,
  };
}

async function readFileOf(file: WatchedFile | undefined, path: string | undefined, signIn: SignIn) {
  try {
    return await file?.read();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw invalid(signIn, `user ${signIn.userName} names ${path}, which cannot be read (${reason})`);
  }
}

function join(own: Credential, plugin: Credential | undefined, impersonation: UserEntry["impersonation"]): Credential {
  const headers = { ...plugin?.headers, ...own.headers, ...impersonation };
  return { headers, clientCertificate: own.clientCertificate ?? plugin?.clientCertificate };
}

/** TLS would only say that something is wrong with some PEM; this names the user. */
function checkCertificate(signIn: SignIn, { clientCertificate }: Credential): void {
  try {
    if (clientCertificate) createSecureContext(clientCertificate);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    throw invalid(signIn, `the client certificate or key of user ${signIn.userName} cannot be used (${reason})`);
  }
}

/** The HTTP client would refuse them at each request, without saying whose they are. */
function checkHeaders(signIn: SignIn, { headers = {} }: Credential): void {
  try {
    for (const [name, values] of Object.entries(headers)) {
      for (const value of [values].flat()) http.validateHeaderValue(name, value);
    }
  } catch {
    const reason = `what user ${signIn.userName} signs in with holds a line break or other characters that no header takes`;
    throw invalid(signIn, reason);
  }
}

function basic({ username, password = "" }: UserEntry): string | undefined {
  return username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function decode(data: string | undefined): string | undefined {
  return data === undefined ? undefined : Buffer.from(data, "base64").toString("utf8");
}

function refuseLegacyProvider(signIn: SignIn): void {
  const provider = signIn.user.authProvider;
  if (!provider || provider.idToken) return;
  throw invalid(
    signIn,
    `user ${signIn.userName} signs in by auth-provider ${provider.name}, which needs kubectl's own code; use a credential plug-in (exec)`,
  );
}

function invalid({ path }: SignIn, reason: string): PlimsollError {
  return new PlimsollError("kubeconfig_invalid", { path, reason });
}
