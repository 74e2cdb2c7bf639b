import type { ResourceKind } from "../records/resource-kinds.ts";
import { type Entry, keyOf, type ObjectStore } from "../store/object-store.ts";
import { ApiFailure, tooLarge } from "./api-status.ts";
import { type ContinuePoint, decodeContinue, encodeContinue } from "./continue-token.ts";
import { type ListOptions, revisionOf } from "./list-options.ts";
import type { Matcher } from "./selectors.ts";

/** One page of a list, at one revision. */
export interface ListPage {
  readonly entries: readonly Entry[];
  readonly resourceVersion: number;
  /** "" on the last page. */
  readonly continueToken: string;
  /** Undefined when a selector makes it unknowable, and on the last page. */
  readonly remaining: number | undefined;
}

/** The page that the options ask for; fails as the API does when the past or the future is asked for. */
export function listPage(store: ObjectStore, kind: ResourceKind, options: ListOptions, matches: Matcher): ListPage {
  const point = options.continueToken === "" ? undefined : decodeContinue(options.continueToken);
  const revision = point === undefined ? revisionToList(store, options) : resumedRevision(store, point);
  const all = store.listAt(kind.resource, revision);
  if (all === undefined) throw point === undefined ? pastIsGone() : continueExpired(point);
  const rest = all.filter(({ record }) => matches(record) && isAfter(record, point));
  // Real API servers answer a list "of any age" from their cache, whole.
  const limit = options.resourceVersion === "0" && point === undefined ? 0 : options.limit;
  const entries = limit > 0 ? rest.slice(0, limit) : rest;
  const last = entries.at(-1);
  if (entries.length === rest.length || last === undefined) {
    return { entries, resourceVersion: revision, continueToken: "", remaining: undefined };
  }
  const startKey = keyOf(last.record.namespace, last.record.name);
  const selected = options.labelSelector !== "" || options.fieldSelector !== "";
  return {
    entries,
    resourceVersion: revision,
    continueToken: encodeContinue({ revision, startKey }),
    remaining: selected ? undefined : rest.length - entries.length,
  };
}

function revisionToList(store: ObjectStore, options: ListOptions): number {
  const asked = revisionOf(options);
  if (asked !== undefined && asked > store.revision) throw tooLarge(asked, store.revision);
  return asked !== undefined && options.match === "Exact" ? asked : store.revision;
}

/** -1 stands for "whatever is present": the token that a 410 hands out. */
function resumedRevision(store: ObjectStore, { revision }: ContinuePoint): number {
  return revision === -1 ? store.revision : revision;
}

function isAfter(record: Entry["record"], point: ContinuePoint | undefined): boolean {
  return point === undefined || keyOf(record.namespace, record.name) > point.startKey;
}

function pastIsGone(): ApiFailure {
  return new ApiFailure(410, "The resourceVersion for the provided list is too old.");
}

function continueExpired({ startKey }: ContinuePoint): ApiFailure {
  const message =
    "The provided continue parameter is too old to display a consistent list result. Start a new list without it, or go on" +
    " with the token of this answer: objects that changed in between may then be missing or come twice.";
  return new ApiFailure(410, message, { metadata: { continue: encodeContinue({ revision: -1, startKey }) } });
}
