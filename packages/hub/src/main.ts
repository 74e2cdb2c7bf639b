import { join } from "node:path";
import { systemClock } from "@plimsoll/collect";
import { reportError } from "@plimsoll/contracts";
import { openPolicies } from "./channel/policies.ts";
import { completeHubConfig } from "./config/check-config.ts";
import { Closers } from "./config/closers.ts";
import { takeDataFolder } from "./config/data-folder.ts";
import type { HubConfig, HubDeps, HubSettings } from "./config/hub-config.ts";
import { stderrLog } from "./log/hub-log.ts";
import { openDoors } from "./parts/doors.ts";
import { openFactReader, openFacts } from "./parts/facts.ts";
import { openFleet } from "./parts/fleet.ts";
import { followControl } from "./parts/follow-control.ts";
import { followIngest } from "./parts/follow-ingest.ts";
import { openKeys } from "./parts/keys.ts";
import { openStore } from "./store/store.ts";

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
  /** File of the CA (PEM) that signs the REST port's certificate; null = plain HTTP, or a certificate from elsewhere. */
  readonly caFile: string | null;
  /** True when the token was made by this start: then the link is worth printing. */
  readonly firstStart: boolean;
  /** Ends every stream, flushes what is on its way and closes the stores; within seconds. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a hub: REST API, page, agent streams, pull loop, pricing. Throws `hub_config_invalid` (every fault at once),
 * `address_in_use`, `address_unusable`, `data_dir_unusable`, `data_dir_in_use`, `sealing_key_wrong`, `store_unavailable`,
 * `store_schema_newer`, `data_dir_foreign`, `segments_missing`; then nothing is left running.
 */
export async function startHub(settings: HubSettings, given: Partial<HubDeps> = {}): Promise<RunningHub> {
  const config = completeHubConfig(settings);
  const deps: HubDeps = { clock: systemClock, random: Math.random, log: given.log ?? stderrLog(), ...given };
  const closers = new Closers((part, error) => deps.log("error", "stop_failed", { part, ...reportError(error) }));
  try {
    return await openAll(config, deps, closers);
  } catch (error) {
    await closers.run();
    throw error;
  }
}

/** The parts in the order in which they need each other; they are closed the other way round. */
async function openAll(config: HubConfig, deps: HubDeps, closers: Closers): Promise<RunningHub> {
  const { role, dataDir } = config;
  const folder = takeDataFolder(dataDir, role);
  closers.add("data folder", () => folder.release());
  const base = await folder.starting(() => openBase(config, deps, closers));
  const facts = role === "control" ? null : await openFacts(config, deps, { ...base, ...base.fleet }, closers);
  const doors = await openDoors(
    config,
    deps,
    {
      ...base,
      control: base.policies && {
        policies: base.policies,
        ...(facts?.answers ?? (await openFactReader(config, deps, { ...base, ...base.fleet }, closers))),
        news: facts ? null : await followIngest(deps, base, closers),
      },
      ingest: facts && {
        ...facts,
        news: role === "ingest" ? await followControl(deps, base, closers) : null,
      },
    },
    closers,
  );
  deps.log("info", "hub_started", { role, url: doors.url, control: doors.controlAddress, version: config.version });
  const { token, fresh } = base.keys.admin;
  return {
    url: doors.url,
    controlAddress: doors.controlAddress,
    adminToken: token,
    adminLink: token === null ? null : `${doors.url}/#token=${token}`,
    caFile: doors.caFile,
    firstStart: fresh,
    stop: () => closers.run(),
  };
}

/** What a start may have to make: schema, keys, policy. `policies` null = another process tells agents what to do. */
async function openBase(config: HubConfig, deps: HubDeps, closers: Closers) {
  const { role, dataDir, postgresUrl, policy } = config;
  const store = await openStore(
    postgresUrl === null ? { sqlite: join(dataDir, "hub.sqlite") } : { postgres: postgresUrl },
  );
  closers.add("store", () => store.close());
  await store.migrate();
  const keys = await openKeys(config, deps, store);
  const policies = role === "ingest" ? null : await openPolicies(store, policy, deps.clock.now());
  const fleet = await openFleet(config, deps, store);
  closers.add("liveness", () => fleet.liveness.stop());
  return { store, keys, fleet, policies };
}
