import { X509Certificate as NodeCertificate } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSealing } from "../sealing/sealing.ts";
import { openStore, type Store } from "../store/store.ts";
import { readCertificateRequest } from "./certificate-request.ts";
import { openAuthority } from "./hub-authority.ts";
import { makeAgentKey } from "./testing/agent-key.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const SEALING = createSealing(Buffer.alloc(32, 7));
const CLUSTER = "0198c1f2-0000-7000-8000-000000000001";

let store: Store;
beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
});
afterEach(() => store.close());

test("the first start makes a CA of ten years, later starts have the same", async () => {
  const first = await openAuthority(store, SEALING, NOW);
  const again = await openAuthority(store, SEALING, NOW + 1);
  expect(again.certificate).toBe(first.certificate);
  const ca = new NodeCertificate(first.certificate);
  expect(ca.ca).toBe(true);
  expect(ca.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(first.sha256);
  expect(ca.validToDate.getTime() - ca.validFromDate.getTime()).toBe(10 * 365 * 86_400_000);
  expect(ca.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  expect(ca.verify(ca.publicKey)).toBe(true);
});

test("the CA's key is in the store sealed only", async () => {
  await openAuthority(store, SEALING, NOW);
  const other = createSealing(Buffer.alloc(32, 8));
  await expect(openAuthority(store, other, NOW)).rejects.toMatchObject({ code: "sealing_key_wrong" });
});

test("an agent's certificate names its cluster, for 90 days, and serves as a client only", async () => {
  const authority = await openAuthority(store, SEALING, NOW);
  const { publicKey } = await readCertificateRequest((await makeAgentKey("CN=somebody else")).csr);
  const issued = await authority.issueAgent(publicKey, CLUSTER, NOW);
  const certificate = new NodeCertificate(issued.certificate);
  expect(certificate.subject).toBe(`CN=${CLUSTER}`);
  expect(certificate.subjectAltName).toBe(`URI:urn:plimsoll:cluster:${CLUSTER}`);
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
  expect(certificate.ca).toBe(false);
  expect(certificate.serialNumber.toLowerCase()).toBe(issued.serial);
  expect(certificate.validToDate.getTime()).toBe(issued.notAfterMs);
  expect(issued.notAfterMs - issued.notBeforeMs).toBe(90 * 86_400_000);
  expect(certificate.verify(new NodeCertificate(authority.certificate).publicKey)).toBe(true);
});

test("a port's certificate carries names and addresses", async () => {
  const authority = await openAuthority(store, SEALING, NOW);
  const { certificate } = await authority.issueServer(["plimsoll-hub", "127.0.0.1", "::1", "plimsoll-hub"], NOW);
  expect(new NodeCertificate(certificate).subjectAltName).toBe(
    "DNS:plimsoll-hub, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
  );
});

test("a request signed by its own key on P-256 or P-384 is read", async () => {
  for (const curve of ["P-256", "P-384"]) {
    expect((await readCertificateRequest((await makeAgentKey("CN=a", curve)).csr)).sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test.each<[string, (csr: string) => string, RegExp]>([
  ["nothing", () => "", /no PEM/],
  ["a certificate", (csr) => csr.replaceAll(" REQUEST", ""), /no PEM/],
  ["cut", (csr) => csr.replace(/\n.*\n-----END/, "\n-----END"), /no PKCS#10/],
  ["no DER", () => "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----", /no PKCS#10/],
  ["signed by another key", (csr) => withOtherSignature(csr), /not signed by its own key/],
])("a request that is %s is refused with its reason", async (_, spoil, reason) => {
  const spoiled = spoil((await makeAgentKey()).csr);
  await expect(readCertificateRequest(spoiled)).rejects.toMatchObject({
    code: "csr_invalid",
    message: expect.stringMatching(reason),
  });
});

test("a request with a key on a curve that few support is refused", async () => {
  await expect(readCertificateRequest((await makeAgentKey("CN=a", "P-521")).csr)).rejects.toMatchObject({
    code: "csr_invalid",
    message: expect.stringContaining("P-521"),
  });
});

/** Changes one bit of the name that is signed. */
function withOtherSignature(csr: string): string {
  const der = Buffer.from(csr.replace(/-----.*-----/g, ""), "base64");
  const at = der.indexOf("agent");
  der[at] = "b".charCodeAt(0);
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
}
