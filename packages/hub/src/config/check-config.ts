import { existsSync } from "node:fs";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { AgentPolicyChange } from "@plimsoll/contracts/rest";
import { HUB_DEFAULTS, type HubConfig, type HubSettings } from "./hub-config.ts";

/** Settings with the defaults filled in. Throws `hub_config_invalid` that names every fault at once. */
export function completeHubConfig(settings: HubSettings): HubConfig {
  const config: HubConfig = { ...HUB_DEFAULTS, ...settings };
  const faults = CHECKS.flatMap((check) => check(config) ?? []);
  if (faults.length > 0) throw new PlimsollError("hub_config_invalid", { reasons: faults.join("; ") });
  return config;
}

const DAY_MS = 24 * 3_600_000;

type Check = (config: HubConfig) => string | null | undefined;

const PORT = (name: string, port: number): string | null =>
  Number.isInteger(port) && port >= 0 && port <= 65_535 ? null : `${name} is ${port}, no port from 0 to 65535`;

const AT_LEAST = (name: string, value: number, least: number): string | null =>
  Number.isFinite(value) && value >= least ? null : `${name} is ${value}, which must be at least ${least}`;

const CHECKS: readonly Check[] = [
  ({ dataDir }) => (dataDir === "" ? "no data folder is named" : null),
  ({ port }) => PORT("port", port),
  ({ controlPort }) => PORT("the agents' port", controlPort),
  ({ port, controlPort, host, controlHost }) =>
    port !== 0 && port === controlPort && (controlHost ?? host) === host ? `both ports are ${port}` : null,
  ({ publicUrl }) => (publicUrl === null || isHttpUrl(publicUrl) ? null : `public URL ${publicUrl} is no http address`),
  ({ publicControlAddress: address }) =>
    address === null || /^[^\s/]+:\d{1,5}$/.test(address) ? null : `public agents' address ${address} is no HOST:PORT`,
  ({ postgresUrl }) =>
    postgresUrl === null || /^postgres(ql)?:\/\//.test(postgresUrl)
      ? null
      : "the control store is no postgres:// address",
  ({ beatMs }) => AT_LEAST("the beat (ms)", beatMs, 1_000),
  ({ unknownAfterBeats }) => AT_LEAST("missed beats until unknown", unknownAfterBeats, 3),
  ({ pullIntervalMs }) => AT_LEAST("the pull interval (ms)", pullIntervalMs, 1_000),
  ({ pullConcurrency }) => AT_LEAST("clusters read at once", pullConcurrency, 1),
  ({ pullRequestsPerSecond }) => AT_LEAST("requests a second to a cluster", pullRequestsPerSecond, 0.1),
  ({ retentionMs }) =>
    Object.entries(retentionMs)
      .map(([kind, ms]) => AT_LEAST(`what is kept of ${kind} (ms)`, ms, DAY_MS))
      .find((fault) => fault !== null),
  ({ retentionMs: { gap, cost } }) =>
    gap >= cost ? null : "gaps are kept for less time than prices, whose coverage would then be wrong",
  ({ sealingKey }) =>
    sealingKey === null || Buffer.from(sealingKey, "base64").length === 32
      ? null
      : "the sealing key is no 32 bytes in base64",
  ({ pageDir }) =>
    pageDir === null || existsSync(join(pageDir, "index.html")) ? null : `${pageDir} holds no page (index.html)`,
  ({ tls }) => {
    if (typeof tls === "string") return null;
    return [tls.certificateFile, tls.keyFile]
      .filter((file) => !existsSync(file))
      .map((file) => `${file} is missing`)[0];
  },
  ({ policy }) => {
    const issue = AgentPolicyChange.safeParse(policy).error?.issues[0];
    return issue && `policy ${issue.path.join(".")}: ${issue.message}`;
  },
];

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}
