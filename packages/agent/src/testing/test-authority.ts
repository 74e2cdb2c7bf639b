import "reflect-metadata";
import { createHash, randomBytes, webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const EC = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;

/** A certificate authority as a hub has one. Certificates are PEM. */
export interface TestAuthority {
  readonly certificate: string;
  readonly sha256: string;
  /** A certificate of a server under these names. */
  issueServer(names: readonly string[]): Promise<{ readonly certificate: string; readonly key: string }>;
  /** Signs a PKCS#10 request for the client of this name; throws when the request is not signed by its key. */
  signRequest(csr: string, commonName: string, days?: number): Promise<string>;
}

/** A new authority with keys of its own. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ["sign", "verify"]);
  const authority = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: "CN=test authority",
    ...validity(1),
    signingAlgorithm: SIGNING,
    keys,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  const issue = (
    subject: string,
    publicKey: Parameters<typeof X509CertificateGenerator.create>[0]["publicKey"],
    usage: ExtendedKeyUsage,
    names: readonly string[],
    days: number,
  ): Promise<X509Certificate> =>
    X509CertificateGenerator.create({
      serialNumber: serial(),
      subject,
      issuer: authority.subject,
      ...validity(days),
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: SIGNING,
      extensions: [
        new ExtendedKeyUsageExtension([usage]),
        new SubjectAlternativeNameExtension(
          names.map((value) => ({ type: /^[\d.]+$/.test(value) ? "ip" : "dns", value })),
        ),
      ],
    });
  return {
    certificate: authority.toString("pem"),
    sha256: createHash("sha256").update(Buffer.from(authority.rawData)).digest("hex"),
    async issueServer(names) {
      const own = await webcrypto.subtle.generateKey(EC, true, ["sign", "verify"]);
      const certificate = await issue("CN=test hub", own.publicKey, ExtendedKeyUsage.serverAuth, names, 1);
      const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", own.privateKey));
      const key = `-----BEGIN PRIVATE KEY-----\n${der.toString("base64")}\n-----END PRIVATE KEY-----\n`;
      return { certificate: certificate.toString("pem"), key };
    },
    async signRequest(csr, commonName, days = 1) {
      const request = new Pkcs10CertificateRequest(csr);
      if (!(await request.verify())) throw new Error("the request is not signed by its key");
      const certificate = await issue(
        `CN=${commonName}`,
        request.publicKey,
        ExtendedKeyUsage.clientAuth,
        ["agent"],
        days,
      );
      return certificate.toString("pem");
    },
  };
}

function serial(): string {
  return `4${randomBytes(8).toString("hex").slice(1)}`;
}

function validity(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + days * DAY_MS) };
}
