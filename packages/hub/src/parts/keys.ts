import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { type AdminToken, openAdminToken } from "../identity/admin-token.ts";
import { type HubAuthority, openAuthority } from "../registration/hub-authority.ts";
import { openSealing, type Sealing } from "../sealing/sealing.ts";
import type { Store } from "../store/store.ts";

/** Everything secret of a hub. */
export interface HubKeys {
  readonly sealing: Sealing;
  readonly authority: HubAuthority;
  readonly admin: AdminToken;
}

/** Opens, or makes at the first start, sealing key, CA and admin token. Throws `sealing_key_wrong`. */
export async function openKeys(config: HubConfig, { clock }: HubDeps, store: Store): Promise<HubKeys> {
  const sealing = await openSealing(config.dataDir, config.sealingKey);
  const authority = await openAuthority(store, sealing, clock.now());
  return { sealing, authority, admin: await openAdminToken(store, config.dataDir, clock.now()) };
}
