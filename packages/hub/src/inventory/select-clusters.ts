import { PlimsollError } from "@plimsoll/contracts";
import { selectableLabels } from "./flat-record.ts";
import { matchesSelector, parseSelector } from "./label-selector.ts";
import type { Registry } from "./registry.ts";

/**
 * The clusters that a grant's selector is about: by labels and region, as they are now. A selector that cannot be read is
 * about none.
 */
export function selectClusters(registry: Registry): (selector: string) => ReadonlySet<string> {
  return (text) => {
    const selector = readable(text);
    if (selector === null) return new Set();
    const found = registry.list("all").filter((entry) => matchesSelector(selector, selectableLabels(entry)));
    return new Set(found.map(({ id }) => id));
  };
}

function readable(text: string): ReturnType<typeof parseSelector> | null {
  try {
    return parseSelector(text);
  } catch (error) {
    if (error instanceof PlimsollError) return null;
    throw error;
  }
}
