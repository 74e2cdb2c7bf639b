import { hostname } from "node:os";
import type { HubConfig } from "../config/hub-config.ts";

const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::", ""]);

/** Is it this machine alone? */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The address of the REST port, as people write it. */
export function restUrl({ publicUrl, host }: HubConfig, port: number, tls: boolean): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, "");
  return `${tls ? "https" : "http"}://${bracketed(shown(host))}:${port}`;
}

/** The address of the agents' port. */
export function controlAddress(config: HubConfig, port: number): string {
  const { publicControlAddress, publicUrl, controlHost, host } = config;
  if (publicControlAddress !== null) return publicControlAddress;
  const own = controlHost ?? host;
  // Whoever reaches the one port by a name reaches the other by it too.
  const name = EVERYWHERE.has(own) && publicUrl !== null ? new URL(publicUrl).hostname : shown(own);
  return `${bracketed(name)}:${port}`;
}

/** Names and addresses by which this hub may be called. */
export function serverNames({ host, controlHost, publicUrl }: HubConfig): readonly string[] {
  const given = [host, controlHost ?? host].filter((name) => !EVERYWHERE.has(name));
  const outside = publicUrl === null ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")];
  return [...given, ...outside, hostname(), "localhost", "127.0.0.1", "::1"];
}

function shown(host: string): string {
  return EVERYWHERE.has(host) ? hostname() : host;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
