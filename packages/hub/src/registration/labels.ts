import { PlimsollError } from "@plimsoll/contracts";

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
/** A cluster has a handful; this many is a mistake. */
const MOST_LABELS = 64;

/** Labels that Kubernetes would take, none of them a field of another layer. Throws `parameter_invalid` naming the label. */
export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const entries = Object.entries(labels);
  if (entries.length > MOST_LABELS) refuse("labels", `${entries.length} labels`, `at most ${MOST_LABELS}`);
  for (const [key, value] of entries) {
    if (!isLabelKey(key)) refuse(`labels.${key.slice(0, 80)}`, key.slice(0, 80), "a label key as in Kubernetes");
    if (!VALUE.test(value)) refuse(`labels.${key}`, value.slice(0, 80), "a label value: letters, digits, -, _, . (63)");
    if (key === "region") refuse("labels.region", value, "no value: the region is read from the cluster");
  }
}

function isLabelKey(key: string): boolean {
  const slash = key.indexOf("/");
  return slash < 0 ? NAME.test(key) : PREFIX.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}

function refuse(field: string, value: string, expected: string): never {
  throw new PlimsollError("parameter_invalid", { field, value, expected });
}
