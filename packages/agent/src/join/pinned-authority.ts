import { createHash } from "node:crypto";
import { connect, type DetailedPeerCertificate } from "node:tls";

/**
 * The certificate (PEM) of SHA-256 `sha256` in the chain that a TLS server shows; undefined = it is not in it. Nothing is
 * sent and nothing is trusted yet: the next connection is verified against what is found. Rejects as sockets do.
 */
export function findAuthority(
  server: { readonly host: string; readonly port: number },
  sha256: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...server, servername: serverNameOf(server.host), rejectUnauthorized: false });
    const abort = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      resolve(findInChain(socket.getPeerCertificate(true), sha256));
      socket.destroy();
    });
    socket.once("close", () => {
      signal.removeEventListener("abort", abort);
      reject(new Error("the connection was closed"));
    });
    if (signal.aborted) abort();
  });
}

/** Name for SNI; none for an address. */
function serverNameOf(host: string): string | undefined {
  return /^[\d.]+$|:/.test(host) ? undefined : host;
}

function findInChain(leaf: DetailedPeerCertificate, sha256: string): string | undefined {
  const seen = new Set<string>();
  for (
    let at: DetailedPeerCertificate | undefined = leaf;
    at?.raw && !seen.has(at.fingerprint256);
    at = at.issuerCertificate
  ) {
    seen.add(at.fingerprint256);
    if (createHash("sha256").update(at.raw).digest("hex") === sha256) return toPem(at.raw);
  }
  return undefined;
}

function toPem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
