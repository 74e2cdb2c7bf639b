import { type ErrorFields, type Finding, fillTemplate } from "@plimsoll/contracts";
import { FINDING_TABLE, type FindingCode, type FindingEntry } from "./finding-table.ts";

/** An object that a check found, with the fields of the code's message. `{name}` is the object's name unless given. */
export interface Found {
  /** `Kind/namespace/name` or `Kind/name`. */
  readonly object: string;
  readonly fields?: ErrorFields;
}

/** Up to so many objects get a finding each; more become one finding, so that 5,000 pods do not give 5,000. */
const MOST_SEPARATE = 5;
const MOST_NAMES = 5;

/** One finding. */
export function makeFinding(code: FindingCode, found: Found): Finding {
  const entry: FindingEntry = FINDING_TABLE[code];
  return filled(code, entry.message, found);
}

/** Findings of one code on many objects: each its own while they are few, one for all of them (on `cluster`) when many. */
export function makeFindings(code: FindingCode, cluster: string, all: readonly Found[]): readonly Finding[] {
  const { many }: FindingEntry = FINDING_TABLE[code];
  if (many === undefined || all.length <= MOST_SEPARATE) return all.map((found) => makeFinding(code, found));
  const names = all.map(({ object }) => nameOf(object)).sort();
  const fields = { name: names[0] ?? "", count: all.length, names: listNames(names) };
  return [filled(code, many, { object: clusterObject(cluster), fields })];
}

/** The first few names, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length <= MOST_NAMES ? shown : `${shown} and ${names.length - MOST_NAMES} more`;
}

/** The `object` of a finding about a whole cluster. */
export function clusterObject(name: string): string {
  return `Cluster/${name}`;
}

function filled(code: FindingCode, template: string, { object, fields }: Found): Finding {
  const entry: FindingEntry = FINDING_TABLE[code];
  const all = { name: nameOf(object), ...fields };
  return {
    code,
    severity: entry.severity,
    object,
    message: fillTemplate(template, all),
    remedy: fillTemplate(entry.remedy, all),
  };
}

/** "Pod/shop/cart" → "shop/cart". */
function nameOf(object: string): string {
  return object.slice(object.indexOf("/") + 1);
}
