import { type CapacityReport, EXCLUSION_REASONS, type ExclusionReason } from "@plimsoll/contracts";
import { formatCount } from "./quantity.ts";
import { UNKNOWN } from "./unknown.ts";

type Nodes = CapacityReport["nodes"];

const WORDS: Readonly<Record<ExclusionReason, string>> = {
  Virtual: "virtual",
  Deleting: "being deleted",
  NotReady: "not ready",
  Cordoned: "cordoned",
  ControlPlane: "control plane",
};

/** Why nodes are out of service, in words with counts: `["1 not ready", "2 cordoned"]`. Empty when all are in service. */
export function outOfService(nodes: Nodes): string[] {
  return EXCLUSION_REASONS.filter((reason) => (nodes.excluded[reason] ?? 0) > 0).map(
    (reason) => `${formatCount(nodes.excluded[reason] ?? 0)} ${WORDS[reason]}`,
  );
}

/** `"12 (10 ready, 1 not ready, 1 cordoned)"`; `"12"` when all are ready; unknown → `"–"`. */
export function formatNodes(nodes: Nodes | null): string {
  if (nodes === null) return UNKNOWN;
  const out = outOfService(nodes);
  const total = formatCount(nodes.total);
  return out.length === 0 ? total : `${total} (${[`${formatCount(nodes.schedulable)} ready`, ...out].join(", ")})`;
}

/** `"10/12"`: nodes in service of all nodes; unknown → `"–"`. */
export function formatNodesShort(nodes: Nodes | null): string {
  return nodes === null ? UNKNOWN : `${formatCount(nodes.schedulable)}/${formatCount(nodes.total)}`;
}
