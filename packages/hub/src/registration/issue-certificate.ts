import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "./x509.ts";

/** A certificate with its key, PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A CA certificate with the key that it signs with. */
export interface Issuer {
  readonly certificate: X509Certificate;
  readonly key: CryptoKey;
}

const EC = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const YEAR_MS = 365 * 86_400_000;
const SUBJECT = "CN=Plimsoll hub CA";

/** The URI name of an agent's certificate. */
function clusterUri(clusterId: string): string {
  return `urn:plimsoll:cluster:${clusterId}`;
}

/** A CA that signs itself, ten years, ECDSA P-256. */
export const selfSigned = {
  /** A new one, with its key in PKCS#8 (DER). */
  async create(serialNumber: string, notBeforeMs: number): Promise<{ issuer: Issuer; pkcs8: Uint8Array }> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber,
      name: SUBJECT,
      ...validity(notBeforeMs, notBeforeMs + 10 * YEAR_MS),
      signingAlgorithm: SIGNING,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return { issuer: { certificate, key: keys.privateKey }, pkcs8: await exportKey(keys.privateKey) };
  },

  /** One that was made before. */
  async load(pem: string, pkcs8: Uint8Array): Promise<Issuer> {
    const key = await webcrypto.subtle.importKey("pkcs8", Uint8Array.from(pkcs8), EC, false, ["sign"]);
    return { certificate: new X509Certificate(pem), key };
  },
};

/** A certificate for the agent of a cluster. */
export async function certificateOf(
  issuer: Issuer,
  agent: {
    readonly publicKey: PublicKey;
    readonly clusterId: string;
    readonly serial: string;
    readonly notBeforeMs: number;
    readonly notAfterMs: number;
  },
): Promise<X509Certificate> {
  return issue(issuer, {
    subject: `CN=${agent.clusterId}`,
    publicKey: agent.publicKey,
    serial: agent.serial,
    notBeforeMs: agent.notBeforeMs,
    notAfterMs: agent.notAfterMs,
    names: [{ type: "url", value: clusterUri(agent.clusterId) }],
    usage: ExtendedKeyUsage.clientAuth,
  });
}

/** A certificate and a new key for a port of the hub; holds a year. */
export async function serverCertificate(
  issuer: Issuer,
  server: { readonly names: readonly string[]; readonly serial: string; readonly notBeforeMs: number },
): Promise<KeyedCertificate> {
  const keys = await newKeys();
  const certificate = await issue(issuer, {
    subject: "CN=Plimsoll hub",
    publicKey: keys.publicKey,
    serial: server.serial,
    notBeforeMs: server.notBeforeMs,
    notAfterMs: server.notBeforeMs + YEAR_MS,
    names: [...new Set(server.names)].map((value) => ({ type: isIP(value) ? "ip" : "dns", value })),
    usage: ExtendedKeyUsage.serverAuth,
  });
  const der = Buffer.from(await exportKey(keys.privateKey)).toString("base64");
  const key = `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}(?=.)/g, "$&\n")}\n-----END PRIVATE KEY-----\n`;
  return { certificate: certificate.toString("pem"), key };
}

interface Order {
  readonly subject: string;
  readonly publicKey: PublicKey | CryptoKey;
  readonly serial: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly names: readonly { readonly type: "dns" | "ip" | "url"; readonly value: string }[];
  readonly usage: ExtendedKeyUsage;
}

async function issue(issuer: Issuer, order: Order): Promise<X509Certificate> {
  return X509CertificateGenerator.create({
    serialNumber: order.serial,
    subject: order.subject,
    issuer: issuer.certificate.subject,
    ...validity(order.notBeforeMs, order.notAfterMs),
    publicKey: order.publicKey,
    signingKey: issuer.key,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([order.usage]),
      new SubjectAlternativeNameExtension([...order.names]),
      await SubjectKeyIdentifierExtension.create(order.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
    ],
  });
}

function validity(notBeforeMs: number, notAfterMs: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(EC, true, ["sign", "verify"]);
}

async function exportKey(key: CryptoKey): Promise<Uint8Array> {
  return new Uint8Array(await webcrypto.subtle.exportKey("pkcs8", key));
}
