import type { HubDeps, HubSettings } from "./config/hub-config.ts";

/** One running hub. */
export interface RunningHub {
  /** Address of REST API and page, without a slash at its end: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** `host:port` of the gRPC streams of agents. */
  readonly controlAddress: string;
  /** The admin's token, as far as this hub still knows it (its file in the data folder may have been taken away). */
  readonly adminToken: string | null;
  /** `url/#token=…`: opens the page signed in. Null without a token. */
  readonly adminLink: string | null;
  /** True when the token was made by this start: then the link is worth printing. */
  readonly firstStart: boolean;
  /** Ends every stream, flushes what is on its way and closes the stores; within seconds. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a hub: REST API, page, agent streams, pull loop, pricing. Throws `hub_config_invalid` (every fault at once),
 * `address_in_use`, `data_dir_in_use`, `store_unavailable`, `store_schema_newer`.
 */
export async function startHub(_settings: HubSettings, _deps: Partial<HubDeps> = {}): Promise<RunningHub> {
  throw new Error("not built yet");
}
