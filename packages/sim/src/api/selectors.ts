import type { ObjectRecord } from "../records/records.ts";
import { ApiFailure } from "./api-status.ts";

/** Does a record belong into the answer? */
export type Matcher = (record: ObjectRecord) => boolean;

/** Matches namespace ("" = all), label and field selector; 400 for a selector that cannot be read. */
export function matcherOf(namespace: string, labelSelector: string, fieldSelector: string): Matcher {
  const matchers = [...splitTerms(labelSelector).map(labelMatcher), ...splitTerms(fieldSelector).map(fieldMatcher)];
  if (namespace !== "") matchers.push((record) => record.namespace === namespace);
  return (record) => matchers.every((matches) => matches(record));
}

/** Terms between commas that are not inside brackets. */
function splitTerms(selector: string): string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== "");
}

function labelMatcher(term: string): Matcher {
  const set = /^([^\s!=,()]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    return (record) => values.includes(labelOf(record, key) ?? "\u0000") === (operator === "in");
  }
  const equality = /^([^\s!=,()]+)\s*(==|=|!=)\s*([^\s!=,()]*)$/.exec(term);
  if (equality !== null) {
    const [, key = "", operator, value = ""] = equality;
    return (record) => (labelOf(record, key) === value) === (operator !== "!=");
  }
  const existence = /^(!?)([^\s!=,()]+)$/.exec(term);
  if (existence === null) throw new ApiFailure(400, `unable to parse requirement: ${term}`);
  const [, not, key = ""] = existence;
  return (record) => (labelOf(record, key) !== undefined) === (not === "");
}

function fieldMatcher(term: string): Matcher {
  const parts = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
  if (parts === null) throw new ApiFailure(400, `invalid field selector: ${term}`);
  const [, field = "", operator, value] = parts;
  const read = FIELDS[field];
  if (read === undefined) throw new ApiFailure(400, `field label not supported: ${field}`);
  return (record) => (read(record) === value) === (operator !== "!=");
}

const FIELDS: Readonly<Record<string, (record: ObjectRecord) => string>> = {
  "metadata.name": (record) => record.name,
  "metadata.namespace": (record) => record.namespace,
  "spec.nodeName": (record) => (record.resource === "pods" ? (record.node ?? "") : ""),
  "status.phase": (record) => (record.resource === "pods" ? record.phase : ""),
};

function labelOf(record: ObjectRecord, key: string): string | undefined {
  return record.labels[key];
}
