import type { KubeResource } from "@plimsoll/contracts";
import { isManifest } from "../dump-manifest.ts";
import { resourceOfKind } from "./known-kinds.ts";
import { listIn, objectIn, type RawObject, textIn } from "./raw-object.ts";

/** What an object, or a list of objects, is. */
export interface KindRef {
  readonly kind: string;
  readonly apiVersion: string | undefined;
}

/** What a parsed value of a dump turns out to be, by its content alone. */
export type Content =
  | { readonly type: "object"; readonly resource: KubeResource }
  | { readonly type: "usage"; readonly kind: "NodeMetrics" | "PodMetrics" }
  | { readonly type: "version"; readonly gitVersions: readonly string[] }
  | { readonly type: "manifest" }
  /** An error answer of an API server. */
  | { readonly type: "status"; readonly message: string }
  | { readonly type: "otherKind"; readonly kind: string }
  | { readonly type: "unknown" };

/** Kind and group of an object that names its kind. */
export function kindOf(raw: RawObject): KindRef | undefined {
  const kind = textIn(raw, "kind");
  return kind === undefined ? undefined : { kind, apiVersion: textIn(raw, "apiVersion") };
}

/** The kind of the elements of a typed list ("PodList" → Pod); undefined for "List" and for what is no list. */
export function elementKind(list: KindRef | undefined): KindRef | undefined {
  if (list === undefined || list.kind === "List" || !list.kind.endsWith("List")) return undefined;
  return { kind: list.kind.slice(0, -"List".length), apiVersion: list.apiVersion };
}

/** Recognises `raw`; `kind` is its own or, when it names none, its list's. */
export function classify(raw: RawObject, kind: KindRef | undefined): Content {
  if (kind === undefined) {
    const gitVersions = gitVersionsOf(raw);
    return gitVersions === undefined ? { type: "unknown" } : { type: "version", gitVersions };
  }
  const resource = resourceOfKind(kind.kind, kind.apiVersion);
  if (resource !== undefined) return { type: "object", resource };
  const usage = usageKind(kind);
  if (usage !== undefined) return { type: "usage", kind: usage };
  if (isManifest(raw)) return { type: "manifest" };
  if (kind.kind === "Status" && kind.apiVersion === "v1") {
    return { type: "status", message: textIn(raw, "message") ?? "an error" };
  }
  return { type: "otherKind", kind: kind.kind };
}

/** NodeMetrics or PodMetrics of metrics.k8s.io. */
export function usageKind({ kind, apiVersion }: KindRef): "NodeMetrics" | "PodMetrics" | undefined {
  if (apiVersion !== undefined && !apiVersion.startsWith("metrics.k8s.io/")) return undefined;
  return kind === "NodeMetrics" || kind === "PodMetrics" ? kind : undefined;
}

/**
 * Versions in `kubectl version -o json`, in an answer of `/version`, or in a support bundle's cluster_version.json. Empty when
 * kubectl reached no server; undefined when it is nothing of the sort.
 */
function gitVersionsOf(raw: RawObject): readonly string[] | undefined {
  const server = textIn(objectIn(raw, "serverVersion"), "gitVersion") ?? textIn(objectIn(raw, "info"), "gitVersion");
  if (server !== undefined) return [server];
  if (objectIn(raw, "clientVersion") !== undefined) return [];
  const answer = textIn(raw, "gitVersion");
  return answer !== undefined && "major" in raw ? [answer] : undefined;
}

/** Elements of a list that was parsed whole, as when lists stand inside an array; undefined when it is no list. */
export function inlineItems(raw: RawObject): readonly unknown[] | undefined {
  if (!textIn(raw, "kind")?.endsWith("List")) return undefined;
  return listIn(raw, "items") ?? (raw.items === null ? [] : undefined);
}
