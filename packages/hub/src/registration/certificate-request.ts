import { createHash } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import { Pkcs10CertificateRequest, type PublicKey } from "./x509.ts";

/** The key of a certificate request that its sender has proved to hold. Name and extensions of the request count nothing. */
export interface RequestedKey {
  readonly publicKey: PublicKey;
  /** Of the public key (SPKI, DER), hex. */
  readonly sha256: string;
}

const CURVES = new Set(["P-256", "P-384"]);

/** Reads a PKCS#10 request in PEM and checks its signature and key. Throws `csr_invalid`. */
export async function readCertificateRequest(pem: string): Promise<RequestedKey> {
  const request = parse(pem);
  const { publicKey } = request;
  const curve = "namedCurve" in publicKey.algorithm ? String(publicKey.algorithm.namedCurve) : publicKey.algorithm.name;
  if (!CURVES.has(curve)) throw new PlimsollError("csr_invalid", { reason: `its key is ${curve}` });
  if (!(await isSigned(request))) throw new PlimsollError("csr_invalid", { reason: "it is not signed by its own key" });
  const sha256 = createHash("sha256").update(Buffer.from(publicKey.rawData)).digest("hex");
  return { publicKey, sha256 };
}

function parse(pem: string): Pkcs10CertificateRequest {
  const body = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END/.exec(pem)?.[1];
  if (body === undefined) throw new PlimsollError("csr_invalid", { reason: "it is no PEM of a CERTIFICATE REQUEST" });
  try {
    return new Pkcs10CertificateRequest(Buffer.from(body, "base64"));
  } catch (cause) {
    throw new PlimsollError("csr_invalid", { reason: "it is no PKCS#10 request" }, { cause });
  }
}

async function isSigned(request: Pkcs10CertificateRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    return false;
  }
}
