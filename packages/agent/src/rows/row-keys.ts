import type { NodeRow, UsageRow } from "@plimsoll/contracts/wire";

/** Key of a usage row within its cluster: of rows with an equal one only the newest counts. */
export function usageKey({ podUid, intervalStartMs, hourStartMs }: UsageRow): string {
  return `${podUid} ${intervalStartMs} ${hourStartMs}`;
}

/** Key of a node row within its cluster. */
export function nodeKey({ nodeUid, hourStartMs }: NodeRow): string {
  return `${nodeUid} ${hourStartMs}`;
}
