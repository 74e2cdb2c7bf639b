import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import type { Clock, Random } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { z } from "zod";
import type { AgentConfig } from "../config/agent-config.ts";
import type { AgentLog } from "../log/agent-log.ts";
import { readIfThere, writePrivateFile } from "../state/private-file.ts";
import type { StateFolder } from "../state/state-folder.ts";
import { makeCertificateRequest } from "./certificate-request.ts";
import { joinHub } from "./join-hub.ts";
import { parseJoinToken } from "./join-token.ts";
import { untilItWorks } from "./until-it-works.ts";

const Kept = z.object({
  clusterId: z.string(),
  clusterName: z.string(),
  incarnation: z.number().int(),
  fingerprint: z.string(),
  certificate: z.string(),
  caBundle: z.string(),
  controlAddress: z.string(),
  ingestAddress: z.string(),
  serverName: z.string(),
});

/** Who the agent is to the hub, and how it proves it. PEM texts; addresses are `host:port`. */
export type Identity = Readonly<z.infer<typeof Kept>> & { readonly privateKey: string };

/** What joining needs. */
export interface IdentityNeeds {
  readonly config: AgentConfig;
  readonly folder: StateFolder;
  readonly agentVersion: string;
  /** UID of namespace kube-system; asked for only when it is needed. May reject while the cluster does not answer. */
  readonly readFingerprint: (signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: AgentLog;
  readonly signal: AbortSignal;
}

const IDENTITY_FILE = "identity.json";
const KEY_FILE = "agent.key";

/**
 * The identity of the state folder; joins with the token when there is none, or when its certificate has run out. What may
 * pass (hub or cluster does not answer) is tried again until the signal aborts; what does not is thrown: `join_*`, `hub_*`,
 * `state_*`. Joining again with the same key is the same cluster attaching again.
 */
export async function obtainIdentity(needs: IdentityNeeds): Promise<Identity> {
  const { config, folder, clock } = needs;
  const privateKey = await obtainKey(folder);
  const kept = await readKept(folder);
  if (kept && isValid(kept.certificate, clock.now())) return checkName({ ...kept, privateKey }, config);
  if (config.joinToken === null) throw new PlimsollError("join_token_missing");
  const token = parseJoinToken(config.joinToken);
  const csr = makeCertificateRequest(createPrivateKey(privateKey), "plimsoll-agent");
  return untilItWorks(needs, async (signal) => {
    const fingerprint = await needs.readFingerprint(signal);
    if (kept) refuseOtherCluster(kept, fingerprint, folder);
    const request = { csr, fingerprint, agentVersion: needs.agentVersion };
    const answer = await joinHub({ hubUrl: config.hubUrl, token, request, clock, signal });
    const identity: Identity = { ...Kept.parse({ ...answer, fingerprint }), privateKey };
    // The key has a file of its own; what is no field of `Kept` is left out.
    await writePrivateFile(folder.file(IDENTITY_FILE), JSON.stringify(Kept.parse(identity)));
    needs.log("info", "joined", { cluster: identity.clusterName, id: identity.clusterId });
    return checkName(identity, config);
  });
}

/** Throws `state_other_cluster` when the folder's identity is of another cluster than the one that is read. */
export function refuseOtherCluster(
  kept: Pick<Identity, "clusterName" | "fingerprint">,
  actual: string,
  folder: Pick<StateFolder, "path">,
): void {
  if (kept.fingerprint === actual) return;
  const { clusterName: name, fingerprint: expected } = kept;
  throw new PlimsollError("state_other_cluster", { path: folder.path, name, expected, actual });
}

function checkName(identity: Identity, { clusterName }: AgentConfig): Identity {
  if (clusterName === null || clusterName === identity.clusterName) return identity;
  throw new PlimsollError("join_other_name", { actual: identity.clusterName, expected: clusterName });
}

async function obtainKey(folder: StateFolder): Promise<string> {
  const kept = await readIfThere(folder.file(KEY_FILE));
  if (kept) return kept.toString("utf8");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await writePrivateFile(folder.file(KEY_FILE), pem);
  return pem;
}

/** What an earlier joining gave; undefined = none did, or the file cannot be understood: then it joins again. */
async function readKept(folder: StateFolder): Promise<z.infer<typeof Kept> | undefined> {
  const text = await readIfThere(folder.file(IDENTITY_FILE));
  try {
    return text && Kept.safeParse(JSON.parse(text.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

function isValid(certificate: string, nowMs: number): boolean {
  try {
    return nowMs < Date.parse(new X509Certificate(certificate).validTo);
  } catch {
    return false;
  }
}
