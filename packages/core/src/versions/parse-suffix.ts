/** What follows the core of a version. */
export type VersionSuffix =
  /** Nothing, or a lone "+". */
  | { readonly kind: "none" }
  /** A pre-release, older than its core; alpha before beta before rc. */
  | { readonly kind: "pre-release"; readonly stage: PreReleaseStage; readonly numbers: readonly number[] }
  /** A vendor's build, ordered only among builds of the same vendor and form. */
  | {
      readonly kind: "vendor-build";
      readonly vendor: string;
      /** The text with every number as "#": only builds of one form are ordered. */
      readonly form: string;
      readonly numbers: readonly number[];
    }
  /** A vendor's build known by a hash: equal or different, never ordered. */
  | { readonly kind: "hash"; readonly vendor: string; readonly hash: string }
  /** AKS long-term support: patches from 100 up count on their own. */
  | { readonly kind: "lts"; readonly vendor: "aks" }
  /** Anything else: the core is used, the text is kept. */
  | { readonly kind: "unknown"; readonly text: string };

export type PreReleaseStage = "alpha" | "beta" | "rc";

const PRE_RELEASE = /^-(alpha|beta|rc)((?:\.?\d+)*)(?:[-+].*)?$/;
const VENDOR_BUILD = /^(?:-(gke|aliyun(?:-?edge)?|tke|rancher|k3s)|\+(k3s|rke2r|vmware)|-(r)(?=\d+(?:-|$)))\.?(\d.*)$/;
const HASH = /^(?:-(eks)-|\+|-\d+\+)([0-9a-f]{6,})$/i;

const VENDORS: Readonly<Record<string, string>> = { r: "cce", rke2r: "rke2" };

/** The suffix of a version in its class. Source: the version strings that the providers publish. */
export function parseSuffix(text: string): VersionSuffix {
  if (text === "" || text === "+") return { kind: "none" };
  if (text === "-akslts") return { kind: "lts", vendor: "aks" };
  return preRelease(text) ?? vendorBuild(text) ?? hash(text) ?? { kind: "unknown", text };
}

/** Order of two builds of one vendor and form: negative, 0 or positive; null when they have no order. */
export function compareBuilds(a: VersionSuffix, b: VersionSuffix): number | null {
  if (a.kind !== "vendor-build" || b.kind !== "vendor-build") return null;
  return a.vendor === b.vendor && a.form === b.form ? compareNumbers(a.numbers, b.numbers) : null;
}

/** Order of two pre-releases of one core: by stage, then by number. */
export function comparePreReleases(
  a: Extract<VersionSuffix, { kind: "pre-release" }>,
  b: Extract<VersionSuffix, { kind: "pre-release" }>,
): number {
  // Alphabetical order is the order of the stages.
  if (a.stage !== b.stage) return a.stage < b.stage ? -1 : 1;
  return compareNumbers(a.numbers, b.numbers);
}

function preRelease(text: string): VersionSuffix | undefined {
  const match = PRE_RELEASE.exec(text);
  const stage = match?.[1];
  if (stage !== "alpha" && stage !== "beta" && stage !== "rc") return undefined;
  return { kind: "pre-release", stage, numbers: numbersIn(match?.[2] ?? "") };
}

function vendorBuild(text: string): VersionSuffix | undefined {
  const match = VENDOR_BUILD.exec(text);
  const name = match?.[1] ?? match?.[2] ?? match?.[3];
  if (name === undefined) return undefined;
  const build = match?.[4] ?? "";
  return {
    kind: "vendor-build",
    vendor: VENDORS[name] ?? name,
    form: build.replace(/\d+/g, "#"),
    numbers: numbersIn(build),
  };
}

function hash(text: string): VersionSuffix | undefined {
  const match = HASH.exec(text);
  return match ? { kind: "hash", vendor: match[1] ?? "", hash: (match[2] ?? "").toLowerCase() } : undefined;
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? -1) - (b[i] ?? -1);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
