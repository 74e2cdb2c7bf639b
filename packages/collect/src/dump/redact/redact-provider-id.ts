import type { Pseudonyms } from "./pseudonyms.ts";

/** Segments that say what follows, not which; and the starts of ids that say of what sort they are. */
const WORDS =
  /^(subscriptions|resourceGroups|providers|Microsoft\.Compute|virtualMachineScaleSets|virtualMachines|docker|podman)$/i;
const ID_START = /^(i-|ins-|fargate-|ocid1\.instance\.[a-z0-9]+\.[a-z0-9-]*\.)/;
/** Zones and regions are no identities: us-east-1a, us-west-2-lax-1a, europe-west4-b, and Alibaba's before the id. */
const ZONE = /^[a-z]{2,}(-[a-z]+)+-?\d+(-[a-z]+-\d+)?-?[a-z]$/;
const ALIBABA_ID = /^([a-z]{2,}(?:-[a-z0-9]+)+\.)(i-.+)$/;

/**
 * Replaces accounts, projects, groups and machines in a node's `spec.providerID` and keeps its form, so that provider, region
 * and zone are still recognised. The result names no machine that exists.
 */
export function redactProviderId(id: string, pseudonyms: Pseudonyms): string {
  const [, scheme = "", rest = id] = /^([a-z0-9+.-]+:\/\/)(.*)$/s.exec(id) ?? [];
  const segments = rest.split("/");
  // Tencent numbers its zones: the first segment that is not empty.
  const zoneAt = scheme === "qcloud://" ? segments.findIndex((segment) => segment !== "") : -1;
  return scheme + segments.map((segment, i) => (i === zoneAt ? segment : redactSegment(segment, pseudonyms))).join("/");
}

function redactSegment(segment: string, pseudonyms: Pseudonyms): string {
  // Up to three digits number the machine within its set.
  if (segment === "" || WORDS.test(segment) || ZONE.test(segment) || /^\d{1,3}$/.test(segment)) return segment;
  const [, region = "", behind = segment] = ALIBABA_ID.exec(segment) ?? [];
  const start = ID_START.exec(behind)?.[0] ?? "";
  return region + start + pseudonyms.shaped(behind.slice(start.length));
}
