import { PlimsollError } from "@plimsoll/contracts";
import { negotiateVersion } from "@plimsoll/contracts/wire";
import type { ClusterEntry } from "../inventory/cluster-entry.ts";
import type { Registry } from "../inventory/registry.ts";
import type { Store } from "../store/store.ts";

/** Who is at the other end, by the certificate that TLS has checked. */
export interface Peer {
  /** CN of the certificate. */
  readonly clusterId: string;
  /** Hex, lower-case. */
  readonly serial: string;
  /** For people: `10.0.0.7:51312`. */
  readonly address: string;
}

/** What a hello says of its sender. */
export interface Claim {
  readonly clusterId: string;
  readonly incarnation: number;
  readonly agentVersion: string;
  /** Empty = the agent could not read it. */
  readonly fingerprint: string | null;
}

/** May it? `gone`: the cluster, or this incarnation of it, is deregistered. */
export type Admission =
  | { readonly verdict: "admitted"; readonly entry: ClusterEntry; readonly wireMinor: number }
  | { readonly verdict: "gone"; readonly incarnation: number };

/** What decides. */
export interface AdmissionDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly hubVersion: string;
}

/**
 * Compares what a hello says with the certificate and the registry. Throws `certificate_wrong`, `certificate_revoked`,
 * `fingerprint_changed`, and what `negotiateVersion` throws.
 */
export async function admitAgent(deps: AdmissionDeps, peer: Peer, claim: Claim): Promise<Admission> {
  const { clusterId, incarnation } = claim;
  if (clusterId !== peer.clusterId) {
    const cluster = clusterId.slice(0, 128);
    throw new PlimsollError("certificate_wrong", { holder: peer.clusterId, cluster });
  }
  const entry = deps.registry.find(clusterId);
  if (!entry) throw new PlimsollError("certificate_revoked");
  if (entry.phase === "deregistered" || incarnation !== entry.incarnation) return { verdict: "gone", incarnation };
  await checkCertificate(deps.store, peer, entry);
  if (claim.fingerprint && entry.fingerprint !== null && claim.fingerprint !== entry.fingerprint) {
    const fingerprint = claim.fingerprint.slice(0, 128);
    throw new PlimsollError("fingerprint_changed", { fingerprint, cluster: entry.name });
  }
  return { verdict: "admitted", entry, wireMinor: negotiateVersion(deps.hubVersion, claim.agentVersion) };
}

/** Names must be those of this hub: it is not enough that its CA has signed. */
async function checkCertificate(store: Store, peer: Peer, entry: ClusterEntry): Promise<void> {
  const known = await store.db
    .selectFrom("certificates")
    .select("revoked_at_ms")
    .where("serial", "=", peer.serial)
    .where("cluster_id", "=", entry.id)
    .where("incarnation", "=", entry.incarnation)
    .executeTakeFirst();
  if (!known || known.revoked_at_ms !== null) throw new PlimsollError("certificate_revoked");
}
