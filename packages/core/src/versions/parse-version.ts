import { parseSuffix, type VersionSuffix } from "./parse-suffix.ts";

/** A version as a component reports it: "v1.28.3-eks-4f4795d". Numbers, so 1.27.10 is newer than 1.27.9. */
export interface KubeVersion {
  /** The reported text, blanks trimmed. */
  readonly raw: string;
  readonly major: number;
  readonly minor: number;
  /** Null where none was reported ("1.28+"). */
  readonly patch: number | null;
  readonly suffix: VersionSuffix;
}

/** What a reported text says: a version, nothing at all, or something that is no version. */
export type VersionReading =
  | { readonly status: "parsed"; readonly version: KubeVersion }
  | { readonly status: "no-data" }
  | { readonly status: "unparseable"; readonly raw: string };

const VERSION = /^\s*v?(\d+)\.(\d+)(?:\.(\d+))?(.*?)\s*$/;

/** Reads a reported version. An unstamped build (0.0.0) is unparseable: nothing may be said in line with it. */
export function readVersion(text: string | null | undefined): VersionReading {
  if (text === null || text === undefined || text.trim() === "") return { status: "no-data" };
  const version = parseVersion(text);
  return version ? { status: "parsed", version } : { status: "unparseable", raw: text.trim() };
}

/** The version in a text; undefined when there is none or it is an unstamped build (0.0.0). */
export function parseVersion(text: string): KubeVersion | undefined {
  const match = VERSION.exec(text);
  if (!match) return undefined;
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), match[3] === undefined ? null : Number(match[3])];
  if (major === 0 && minor === 0 && (patch ?? 0) === 0) return undefined;
  if (![major, minor, patch ?? 0].every(Number.isSafeInteger)) return undefined;
  return { raw: text.trim(), major, minor, patch, suffix: parseSuffix(match[4] ?? "") };
}

/** "1.28.3", or "1.28" where no patch is known: what all vendors' builds of one release share. */
export function formatCore(version: Pick<KubeVersion, "major" | "minor" | "patch">): string {
  const minor = `${version.major}.${version.minor}`;
  return version.patch === null ? minor : `${minor}.${version.patch}`;
}
