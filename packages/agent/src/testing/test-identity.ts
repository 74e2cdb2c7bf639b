import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { makeCertificateRequest } from "../join/certificate-request.ts";
import type { Identity } from "../join/identity.ts";
import { SERVER_NAME } from "./fake-hub.ts";
import type { TestAuthority } from "./test-authority.ts";

/** An identity as joining gives it, for a hub at `address`. */
export async function testIdentity(
  authority: TestAuthority,
  address: string,
  more: Partial<Identity> = {},
): Promise<Identity> {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const privateKey = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const request = makeCertificateRequest(createPrivateKey(privateKey), "agent");
  return {
    clusterId: "c-1",
    clusterName: "prod-eu",
    incarnation: 3,
    fingerprint: "fingerprint-1",
    certificate: await authority.signRequest(request, "c-1"),
    caBundle: authority.certificate,
    controlAddress: address,
    ingestAddress: address,
    serverName: SERVER_NAME,
    privateKey,
    ...more,
  };
}
