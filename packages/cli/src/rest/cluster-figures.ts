import type { ClusterView } from "@plimsoll/contracts/rest";
import type { Share } from "../render/table/percent-cell.ts";

/** Field of an inventory record as text; null when it is unknown or of another form. */
export function recordText({ record }: Pick<ClusterView, "record">, field: string): string | null {
  const value = record[field];
  return typeof value === "string" && value !== "" ? value : null;
}

/** Field of an inventory record as a list of texts; empty when it is unknown or of another form. */
export function recordTexts({ record }: Pick<ClusterView, "record">, field: string): string[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

type Watermark = NonNullable<ClusterView["watermarks"]>[number];

/** Figures of one resource over the schedulable nodes; undefined when unknown. */
export function watermarkOf(cluster: ClusterView, resource: string): Watermark | undefined {
  return cluster.watermarks?.find((watermark) => watermark.resource === resource);
}

/** What is requested, of the allocatable it is a share of. */
export function requestedShare(of: Watermark | undefined): Share {
  return { part: whole(of?.requested), whole: whole(of?.requestedAllocatable ?? of?.allocatable) };
}

/** What is used, of the allocatable of the nodes that report it. */
export function usedShare(of: Watermark | undefined): Share {
  return { part: whole(of?.used), whole: whole(of?.usedAllocatable ?? of?.allocatable) };
}

/** Limits, of the allocatable that requests are a share of. */
export function limitsShare(of: Watermark | undefined): Share {
  return { part: whole(of?.limits), whole: whole(of?.requestedAllocatable ?? of?.allocatable) };
}

/** Shares added up over clusters: those whose part or whole is unknown are in neither. */
export function sumShares(shares: readonly Share[]): Share {
  const known = shares.filter(({ part, whole: of }) => part !== null && part !== undefined && of !== null);
  if (known.length === 0) return { part: null, whole: null };
  return {
    part: known.reduce((sum, { part }) => sum + (part ?? 0n), 0n),
    whole: known.reduce((sum, { whole: of }) => sum + (of ?? 0n), 0n),
  };
}

/** A figure of the API, decimal digits, as an exact number; null when unknown. */
export function whole(digits: string | null | undefined): bigint | null {
  return digits === null || digits === undefined ? null : BigInt(digits);
}

/** The currency of every cluster that has a cost; undefined when there is none or they differ. */
export function soleCurrency(clusters: readonly ClusterView[]): string | undefined {
  const currencies = new Set(clusters.flatMap(({ cost }) => (cost === null ? [] : [cost.currency])));
  return currencies.size === 1 ? [...currencies][0] : undefined;
}
