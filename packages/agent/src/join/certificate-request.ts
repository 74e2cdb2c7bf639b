import { createPublicKey, type KeyObject, sign } from "node:crypto";

/** Tags and object ids of DER (X.690, RFC 2986, RFC 5758). */
const SEQUENCE = 0x30;
const SET = 0x31;
const UTF8_STRING = 0x0c;
const BIT_STRING = 0x03;
const ATTRIBUTES = 0xa0;
const VERSION_0 = Buffer.from("020100", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");

/** A PKCS#10 certificate request (PEM) for an ECDSA P-256 key, signed by it. Source: RFC 2986. */
export function makeCertificateRequest(privateKey: KeyObject, commonName: string): string {
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(commonName)))));
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const info = der(SEQUENCE, VERSION_0, subject, publicKey, der(ATTRIBUTES));
  const signature = sign("sha256", info, privateKey);
  const request = der(SEQUENCE, info, der(SEQUENCE, ECDSA_WITH_SHA256), der(BIT_STRING, Buffer.from([0]), signature));
  const lines = request.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join("\n")}\n-----END CERTIFICATE REQUEST-----\n`;
}

/** One element: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}
