import { ApiFailure } from "./api-status.ts";

/** The query of a list or watch. */
export interface ListOptions {
  readonly watch: boolean;
  readonly limit: number;
  readonly continueToken: string;
  /** "" when not asked for. */
  readonly resourceVersion: string;
  readonly match: "" | "Exact" | "NotOlderThan";
  readonly bookmarks: boolean;
  readonly initialEvents: boolean;
  /** Undefined when not asked for. */
  readonly timeoutSeconds: number | undefined;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Reads the query; 400 for what a real API server refuses too. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  const options: ListOptions = {
    watch: isWatch(query),
    limit: wholeNumber(query, "limit") ?? 0,
    continueToken: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    match: matchOf(query.get("resourceVersionMatch") ?? ""),
    bookmarks: flag(query, "allowWatchBookmarks"),
    initialEvents: flag(query, "sendInitialEvents"),
    timeoutSeconds: wholeNumber(query, "timeoutSeconds"),
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
  };
  refuseContradictions(options);
  return options;
}

/** Does the query ask for a watch? */
export function isWatch(query: URLSearchParams): boolean {
  return flag(query, "watch");
}

/** A resourceVersion as a number; undefined for none. For a watch, real API servers call a bad one an error of their own. */
export function revisionOf({ resourceVersion, watch }: ListOptions): number | undefined {
  if (resourceVersion === "") return undefined;
  if (!/^\d+$/.test(resourceVersion)) {
    const message = `resourceVersion: Invalid value: "${resourceVersion}": not a number`;
    throw watch ? new ApiFailure(500, message, { reason: undefined }) : new ApiFailure(400, message);
  }
  return Number(resourceVersion);
}

function refuseContradictions(options: ListOptions): void {
  const { continueToken, resourceVersion, match, watch, initialEvents } = options;
  if (continueToken !== "" && resourceVersion !== "" && resourceVersion !== "0") {
    throw new ApiFailure(400, "specifying resource version is not allowed when using continue");
  }
  if (initialEvents && (!watch || match !== "NotOlderThan")) {
    throw forbidden("sendInitialEvents: Forbidden: it needs watch and resourceVersionMatch=NotOlderThan");
  }
  if (match !== "" && !initialEvents && (resourceVersion === "" || watch)) {
    throw forbidden("resourceVersionMatch: Forbidden: it needs a resourceVersion and is not for watches");
  }
  if (match === "Exact" && resourceVersion === "0") {
    throw forbidden('resourceVersionMatch: Forbidden: "Exact" is not allowed for resourceVersion "0"');
  }
}

function matchOf(text: string): ListOptions["match"] {
  if (text === "" || text === "Exact" || text === "NotOlderThan") return text;
  throw forbidden(`resourceVersionMatch: Unsupported value: "${text}"`);
}

/** Whatever is not said to be false is true, as Kubernetes reads it. */
function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

function forbidden(message: string): ApiFailure {
  return new ApiFailure(422, message, { details: { group: "meta.k8s.io", kind: "ListOptions" } });
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  if (!/^-?\d+$/.test(text)) throw new ApiFailure(400, `${name}: parsing "${text}": invalid syntax`);
  return Number(text);
}
