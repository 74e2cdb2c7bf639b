import { reportError } from "@plimsoll/contracts";
import { type CheckpointKey, openCheckpointKey } from "../audit/checkpoint-key.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { type AdminToken, openAdminToken } from "../identity/admin-token.ts";
import { openServiceTokens, type ServiceTokens } from "../identity/service-tokens.ts";
import { type HubAuthority, openAuthority } from "../registration/hub-authority.ts";
import { openSealing, type Sealing } from "../sealing/sealing.ts";
import type { Store } from "../store/store.ts";

/** Everything secret of a hub. */
export interface HubKeys {
  readonly sealing: Sealing;
  readonly authority: HubAuthority;
  readonly admin: AdminToken;
  readonly tokens: ServiceTokens;
  /** Signs the end of the audit log. */
  readonly checkpointKey: CheckpointKey;
}

/** Opens, or makes at the first start, sealing key, CA, admin token and the key of audit checkpoints. Throws `sealing_key_wrong`. */
export async function openKeys(config: HubConfig, { clock, log }: HubDeps, store: Store): Promise<HubKeys> {
  const sealing = await openSealing(config.dataDir, config.sealingKey);
  const nowMs = clock.now();
  return {
    sealing,
    authority: await openAuthority(store, sealing, nowMs),
    admin: await openAdminToken(store, config.dataDir, nowMs),
    tokens: openServiceTokens(store, (error) => log("warn", "token_use_not_noted", { ...reportError(error) })),
    checkpointKey: await openCheckpointKey(store, sealing, nowMs),
  };
}
