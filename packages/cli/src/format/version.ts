import { UNKNOWN } from "./unknown.ts";

interface Versions {
  readonly k8s_version: string | null;
  readonly k8s_versions: readonly string[];
}

/** The API server's version; while API servers differ, all of them: `"v1.29.8 → v1.30.2"`. */
export function formatVersion(record: Versions): string {
  if (record.k8s_versions.length > 1) return record.k8s_versions.join(" → ");
  return record.k8s_version ?? UNKNOWN;
}

/** The version without vendor suffix and `v`: `"1.31.4"`, or `"1.29→1.30"`; a text that is no version stays as it is. */
export function formatVersionShort(record: Versions): string {
  if (record.k8s_versions.length > 1) return record.k8s_versions.map(minor).join("→");
  return record.k8s_version === null ? UNKNOWN : core(record.k8s_version);
}

function core(version: string): string {
  return /^v?(\d+\.\d+(?:\.\d+)?)/.exec(version)?.[1] ?? version;
}

function minor(version: string): string {
  return /^v?(\d+\.\d+)/.exec(version)?.[1] ?? version;
}
