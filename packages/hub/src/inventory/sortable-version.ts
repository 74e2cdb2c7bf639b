import { readVersion } from "@plimsoll/core";

/** A version as a text that sorts by its numbers, pre-releases before their release; null for what is none. */
export function sortableVersion(version: string | null): string | null {
  const reading = readVersion(version);
  if (reading.status !== "parsed") return null;
  const { major, minor, patch, suffix } = reading.version;
  const core = [major, minor, patch ?? 0].map((number) => String(number).padStart(9, "0")).join(".");
  return `${core}${suffix.kind === "pre-release" ? "-" : "."}${version}`;
}
