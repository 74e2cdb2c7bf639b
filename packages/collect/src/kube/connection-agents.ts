import type { Agent, AgentOptions } from "node:http";
import { getCACertificates } from "node:tls";
import type { Credential } from "./credential.ts";
import { http, https } from "./node-http.ts";

/** How the server is reached and trusted. */
export interface ServerSettings {
  /** http or https URL, a base path allowed, without user and password. */
  readonly server: string;
  /** PEM certificates to trust instead of the machine's. */
  readonly certificateAuthority?: string;
  /** Name that the certificate must carry, when it is not the URL's host. */
  readonly tlsServerName?: string;
  /** Trust any certificate. */
  readonly insecure?: boolean;
  /** HTTP or HTTPS proxy for everything sent to this server; none when absent, whatever the environment says. */
  readonly proxyUrl?: string;
}

/** Sockets to one server: a bounded, kept-alive set for requests and an unbounded one for long streams. */
export interface ConnectionAgents {
  agentFor(credential: Credential, use: "request" | "stream"): Agent;
  close(): void;
}

/** Sockets for at most `maxSockets` requests at once. A changed client certificate gets new sockets. */
export function createAgents(settings: ServerSettings, maxSockets: number): ConnectionAgents {
  let held: { cert: string | undefined; request: Agent; stream: Agent } | undefined;
  const close = () => {
    held?.request.destroy();
    held?.stream.destroy();
    held = undefined;
  };
  return {
    agentFor(credential, use) {
      const cert = credential.clientCertificate?.cert;
      if (held && held.cert !== cert) close();
      held ??= {
        cert,
        request: createAgent(settings, credential, maxSockets),
        stream: createAgent(settings, credential, Number.POSITIVE_INFINITY),
      };
      return held[use];
    },
    close,
  };
}

function createAgent(settings: ServerSettings, credential: Credential, maxSockets: number): Agent {
  const url = new URL(settings.server);
  const options: AgentOptions = {
    keepAlive: true,
    keepAliveMsecs: 30_000,
    maxSockets,
    proxyEnv: settings.proxyUrl ? { HTTPS_PROXY: settings.proxyUrl, HTTP_PROXY: settings.proxyUrl } : undefined,
  };
  if (url.protocol === "http:") return new http.Agent(options);
  return new https.Agent({
    ...options,
    // Said explicitly: the process-wide minimum may be 1.3, and some load balancers before API servers have no 1.3.
    minVersion: "TLSv1.2",
    ca: settings.insecure ? undefined : trusted(settings.certificateAuthority),
    cert: credential.clientCertificate?.cert,
    key: credential.clientCertificate?.key,
    servername: settings.tlsServerName,
    rejectUnauthorized: !settings.insecure,
  });
}

/** The given CA alone, else what the machine trusts, as kubectl does: Node's own list lacks a company's CA. */
function trusted(certificateAuthority: string | undefined): string | string[] {
  return certificateAuthority ?? [...getCACertificates("default"), ...getCACertificates("system")];
}
