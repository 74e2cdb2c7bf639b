import type { Clock, Random } from "@plimsoll/collect";
import type { Ingest } from "../ingest/ingest.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { HubLog } from "../log/hub-log.ts";
import type { Disk } from "../warehouse/disk.ts";
import { RETENTION_MS } from "../warehouse/upkeep.ts";
import type { WarehouseKind } from "../warehouse/warehouse-port.ts";

/**
 * What a process of the hub does. `control`: registry, policy, page and API; reads facts, takes none. `ingest`: takes facts,
 * prices and keeps them, and reads the clusters that have no agent. `all`: both, in one process and on one port of agents.
 */
export type HubRole = "all" | "control" | "ingest";

/** A certificate for the REST port: files in PEM. */
export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/**
 * How the REST port speaks TLS. `auto`: not on a loopback address, else with a certificate of the hub's own CA (agents pin
 * that CA by their join token). `off`: plain HTTP, for a proxy in front that terminates TLS. `own`: always the hub's CA.
 */
export type RestTls = "auto" | "off" | "own" | CertificateFiles;

/** What the default policy tells agents; lengths in milliseconds. A person's change of the policy lives in the store. */
export interface DefaultPolicy {
  readonly sampleIntervalMs: number;
  readonly usageFlushMs: number;
  readonly usageResendMs: number;
  readonly reportIntervalMs: number;
}

/** What a person decides about a hub. Lengths in milliseconds. */
export interface HubConfig {
  /** Folder of everything that the hub keeps; made when missing. One hub a folder: `all`, or one `control` and one `ingest`. */
  readonly dataDir: string;
  readonly role: HubRole;
  /** `postgres://…` of the control store; null = a SQLite file in the data folder. */
  readonly postgresUrl: string | null;
  /** Address that REST API and page listen on; port 0 = any free one. */
  readonly host: string;
  readonly port: number;
  readonly tls: RestTls;
  /** Address that people and agents use, where it is another than the one listened on: `https://hub.example`. */
  readonly publicUrl: string | null;
  /** Address that the gRPC streams of agents listen on; null = `host`. Always TLS 1.3 with client certificates. */
  readonly controlHost: string | null;
  readonly controlPort: number;
  /** `host:port` by which agents reach those streams; null = made of host and port. */
  readonly publicControlAddress: string | null;
  /** Version of this hub, "1.4.2": agents of the same minor and of the two before are accepted. */
  readonly version: string;
  /** Beat of agents, and how many missed ones make a cluster offline (at least 3); late is at 2. */
  readonly beatMs: number;
  readonly unknownAfterBeats: number;
  readonly policy: DefaultPolicy;
  /** Clusters that the hub reads itself: how often each, how many at once, and requests a second to each. */
  readonly pullIntervalMs: number;
  readonly pullConcurrency: number;
  readonly pullRequestsPerSecond: number;
  /** How long facts of each kind are kept, at least a day; whole days go at once, so up to a day longer. */
  readonly retentionMs: Readonly<Record<WarehouseKind, number>>;
  /** Key that secrets are sealed with, 32 bytes in base64; null = a file in the data folder, made at the first start. */
  readonly sealingKey: string | null;
  /** Folder of the built page; null = no page. */
  readonly pageDir: string | null;
  /** Image that the manifest of an agent names. */
  readonly agentImage: string;
  /** The fleet is invented: said on every screen. */
  readonly simulated: boolean;
}

/** What must be said; the rest has a default. */
export type HubSettings = Pick<HubConfig, "dataDir"> & Partial<HubConfig>;

/** Each gets the real part on the way of facts and gives the one to work with: how a test watches a promise, or breaks it. */
export interface FactPorts {
  readonly disk: (real: Disk) => Disk;
  readonly ledger: (real: Ledger) => Ledger;
  readonly ingest: (real: Ingest) => Ingest;
}

/** What a hub works with besides its settings; each has a default. */
export interface HubDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: HubLog;
  /** Default: the real parts as they are. */
  readonly around?: Partial<FactPorts>;
}

/** Version of this release. */
export const HUB_VERSION = "0.1.0";

export const HUB_DEFAULTS = {
  role: "all",
  postgresUrl: null,
  host: "127.0.0.1",
  port: 8080,
  tls: "auto",
  publicUrl: null,
  controlHost: null,
  controlPort: 8443,
  publicControlAddress: null,
  version: HUB_VERSION,
  beatMs: 30_000,
  unknownAfterBeats: 4,
  policy: { sampleIntervalMs: 60_000, usageFlushMs: 60_000, usageResendMs: 300_000, reportIntervalMs: 60_000 },
  pullIntervalMs: 60_000,
  pullConcurrency: 8,
  pullRequestsPerSecond: 5,
  retentionMs: RETENTION_MS,
  sealingKey: null,
  pageDir: null,
  agentImage: `plimsoll:${HUB_VERSION}`,
  simulated: false,
} as const satisfies Partial<HubConfig>;
