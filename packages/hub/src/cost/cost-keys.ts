import { PlimsollError } from "@plimsoll/contracts";
import { IDLE_GROUP, SYSTEM_GROUP, UNALLOCATED_GROUP } from "@plimsoll/core";
import { COST_FIELDS, type CostField, type CostGroupKey } from "../warehouse/ask-cost.ts";

/** Fields that idle and system rows have like any other: they are of a node. */
const NODE_FIELDS: ReadonlySet<CostField> = new Set([
  "cluster",
  "node",
  "node-pool",
  "instance-type",
  "region",
  "zone",
  "pricing",
]);

/** A Kubernetes label key. */
const LABEL_KEY = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const MAX_KEYS = 5;

/** A key with the name that the answer gives it. */
export interface NamedCostKey {
  readonly name: string;
  readonly key: CostGroupKey;
}

/** The keys of `aggregate`, each once. Throws `parameter_invalid`. */
export function parseCostKeys(aggregate: string): readonly NamedCostKey[] {
  const names = [...new Set(aggregate.split(",").map((name) => name.trim()))];
  const keys = names.map((name) => ({ name, key: parseKey(name) }));
  if (keys.length > MAX_KEYS) throw invalid(aggregate);
  return keys.map(({ name, key }) => ({ name, key: key ?? refuse(aggregate) }));
}

function parseKey(name: string): CostGroupKey | undefined {
  if (name.startsWith("label:")) {
    const label = name.slice("label:".length);
    return LABEL_KEY.test(label) ? { label } : undefined;
  }
  return isField(name) ? { field: name } : undefined;
}

function isField(name: string): name is CostField {
  return Object.hasOwn(COST_FIELDS, name);
}

/**
 * What a group is called under a key: its value; for rows that nobody holds, the remainder that they are; for rows that
 * somebody holds without saying so, `__unallocated__`.
 */
export function groupName({ key }: NamedCostKey, value: string | null, costKind: string): string {
  if (!("field" in key) || !NODE_FIELDS.has(key.field)) {
    if (costKind === "idle") return IDLE_GROUP;
    if (costKind === "system") return SYSTEM_GROUP;
  }
  return value ?? UNALLOCATED_GROUP;
}

function refuse(aggregate: string): never {
  throw invalid(aggregate);
}

function invalid(aggregate: string): PlimsollError {
  const expected = `up to ${MAX_KEYS} of ${Object.keys(COST_FIELDS).join(", ")}, label:KEY, joined by commas`;
  return new PlimsollError("parameter_invalid", { field: "aggregate", value: aggregate.slice(0, 120), expected });
}
