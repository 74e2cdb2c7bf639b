import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Sealing } from "../sealing/sealing.ts";
import type { Store } from "../store/store.ts";
import {
  certificateOf,
  type Issuer,
  type KeyedCertificate,
  selfSigned,
  serverCertificate,
} from "./issue-certificate.ts";
import type { PublicKey } from "./x509.ts";

/** How long an agent's certificate holds, milliseconds: 90 days. */
const AGENT_CERTIFICATE_MS = 90 * 86_400_000;

const SETTING = "authority";
const PURPOSE = "key of the hub's CA";
const Kept = z.object({ certificate: z.string(), sealedKey: z.string(), keyId: z.string() });

/** A certificate of an agent. */
export interface AgentCertificate {
  /** PEM. */
  readonly certificate: string;
  /** Hex, lower-case, without leading zeros: as TLS libraries show it, lower-cased. */
  readonly serial: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The hub's own CA. It signs for the hub's ports and for agents, and nothing else. */
export interface HubAuthority {
  /** PEM. */
  readonly certificate: string;
  /** SHA-256 of the certificate (DER), hex: what join tokens carry. */
  readonly sha256: string;
  /** A certificate for the agent of a cluster: its id is CN and a URI name. */
  issueAgent(publicKey: PublicKey, clusterId: string, nowMs: number): Promise<AgentCertificate>;
  /** A certificate and key for a port of the hub under these names and addresses. */
  issueServer(names: readonly string[], nowMs: number): Promise<KeyedCertificate>;
}

/** The CA of the store; the first start makes it, its key sealed. Throws `sealing_key_wrong`. */
export async function openAuthority(store: Store, sealing: Sealing, nowMs: number): Promise<HubAuthority> {
  return authorityOf((await load(store, sealing)) ?? (await create(store, sealing, nowMs)));
}

function authorityOf(issuer: Issuer): HubAuthority {
  return {
    certificate: issuer.certificate.toString("pem"),
    sha256: createHash("sha256").update(Buffer.from(issuer.certificate.rawData)).digest("hex"),
    async issueAgent(publicKey, clusterId, nowMs) {
      const [notBeforeMs, notAfterMs] = [startOf(nowMs), startOf(nowMs) + AGENT_CERTIFICATE_MS];
      const serial = newSerial();
      const certificate = await certificateOf(issuer, { publicKey, clusterId, serial, notBeforeMs, notAfterMs });
      return { certificate: certificate.toString("pem"), serial, notBeforeMs, notAfterMs };
    },
    issueServer: (names, nowMs) =>
      serverCertificate(issuer, { names, serial: newSerial(), notBeforeMs: startOf(nowMs) }),
  };
}

async function load(store: Store, sealing: Sealing): Promise<Issuer | undefined> {
  const row = await store.db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst();
  if (!row) return undefined;
  const { certificate, sealedKey } = Kept.parse(JSON.parse(row.value));
  return selfSigned.load(certificate, sealing.open(Buffer.from(sealedKey, "base64"), PURPOSE));
}

async function create(store: Store, sealing: Sealing, nowMs: number): Promise<Issuer> {
  const { issuer, pkcs8 } = await selfSigned.create(newSerial(), startOf(nowMs));
  const kept: z.infer<typeof Kept> = {
    certificate: issuer.certificate.toString("pem"),
    sealedKey: Buffer.from(sealing.seal(pkcs8, PURPOSE)).toString("base64"),
    keyId: sealing.keyId,
  };
  const value = JSON.stringify(kept);
  await store.write((trx) =>
    trx.insertInto("settings").values({ key: SETTING, value, updated_at_ms: nowMs }).execute(),
  );
  return issuer;
}

/** Certificates hold from a little before, for clocks that are behind. */
function startOf(nowMs: number): number {
  return Math.floor(nowMs / 1000) * 1000 - 300_000;
}

/** 126 random bits, positive and without a leading zero, so that every library writes it alike. */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}
