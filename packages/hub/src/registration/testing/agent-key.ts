import { webcrypto } from "node:crypto";
import { Pkcs10CertificateRequestGenerator } from "../x509.ts";

/** A key of an agent with its certificate request, PEM; for tests. */
export interface AgentKey {
  readonly csr: string;
  /** PKCS#8, PEM. */
  readonly key: string;
}

/** A new key and request, as an agent makes them. */
export async function makeAgentKey(name = "CN=agent", curve = "P-256"): Promise<AgentKey> {
  const algorithm = { name: "ECDSA", namedCurve: curve };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    csr: request.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`,
  };
}
