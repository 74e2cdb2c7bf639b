import { BlockList, isIP } from "node:net";

/**
 * The proxy that the environment asks for on the way to `server`, as kubectl reads it: HTTPS_PROXY or HTTP_PROXY by the
 * server's scheme (lower case wins), unless NO_PROXY names its host: a name (its subdomains too), ".domain", an address, a
 * CIDR, host:port or "*". Loopback is never proxied. Node's own reading of NO_PROXY knows no CIDR, which most companies use.
 */
export function environmentProxy(
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const url = new URL(server);
  const read = (name: string) => env[name.toLowerCase()] || env[name];
  const proxy = url.protocol === "https:" ? read("HTTPS_PROXY") : read("HTTP_PROXY");
  if (!proxy || isLoopback(url.hostname) || isExempt(url, read("NO_PROXY") ?? "")) return undefined;
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** Is `host`, as a URL writes it, this very machine? */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.startsWith("127.") || host === "[::1]";
}

function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "")
    .some((entry) => entry === "*" || matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry.includes("/")) return isIP(host) !== 0 && isInRange(entry, host);
  if (isIP(entry) !== 0) return entry === host;
  const [, name = entry, entryPort] = /^(.*):(\d+)$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  const exact = domain === name && host === domain;
  return exact || host.endsWith(`.${domain}`);
}

function isInRange(cidr: string, address: string): boolean {
  const [network = "", bits = ""] = cidr.split("/");
  const family = isIP(network);
  if (family === 0 || family !== isIP(address) || !/^\d{1,3}$/.test(bits)) return false;
  try {
    const range = new BlockList();
    range.addSubnet(network, Number(bits), family === 6 ? "ipv6" : "ipv4");
    return range.check(address, family === 6 ? "ipv6" : "ipv4");
  } catch {
    // More bits than the address has: no range, so it exempts nothing.
    return false;
  }
}
