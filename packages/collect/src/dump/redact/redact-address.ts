import { isIP } from "node:net";
import type { Pseudonyms } from "./pseudonyms.ts";

/**
 * Replaces an IP address or CIDR block so that structure survives: addresses that share n leading bits share n leading bits
 * afterwards, so that blocks still hold their addresses and unions of blocks have the same sizes. Anything else ("None", "",
 * a host name) comes back unchanged; `isAddress` tells.
 */
export function redactAddress(text: string, pseudonyms: Pseudonyms): string {
  const [address = "", prefix] = text.split("/");
  const family = isIP(address);
  if (family === 0) return text;
  const bits = family === 4 ? ipv4Bits(address) : ipv6Bits(address);
  // The bits behind a block's prefix are no address: they stay.
  const end = prefix === undefined ? bits.length : Math.min(Number(prefix), bits.length);
  let seen = `${family}/`;
  let replaced = "";
  for (let i = 0; i < bits.length; i += 1) {
    const bit = bits[i] ?? "0";
    replaced += i < end ? String(Number(bit) ^ pseudonyms.bit(seen)) : bit;
    seen += bit;
  }
  const shown = family === 4 ? formatIpv4(replaced) : formatIpv6(replaced);
  return prefix === undefined ? shown : `${shown}/${prefix}`;
}

/** Is the text an IP address or a CIDR block? */
export function isAddress(text: string): boolean {
  return isIP(text.split("/")[0] ?? "") !== 0;
}

function ipv4Bits(address: string): string {
  return address
    .split(".")
    .map((part) => Number(part).toString(2).padStart(8, "0"))
    .join("");
}

function formatIpv4(bits: string): string {
  return (bits.match(/.{8}/g) ?? []).map((part) => Number.parseInt(part, 2)).join(".");
}

function ipv6Bits(address: string): string {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...middle, ...right].map((part) => Number.parseInt(part, 16).toString(2).padStart(16, "0")).join("");
}

function formatIpv6(bits: string): string {
  return (bits.match(/.{16}/g) ?? []).map((part) => Number.parseInt(part, 2).toString(16)).join(":");
}
