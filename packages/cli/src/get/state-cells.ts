import type { ClusterView } from "@plimsoll/contracts/rest";
import type { Cell } from "../render/table/table-layout.ts";
import { recordText } from "../rest/cluster-figures.ts";

const CONNECTIVITY_STYLES = { online: undefined, late: "yellow", offline: "red", "never-seen": "dim" } as const;
const HEALTH_STYLES: Readonly<Record<string, Cell["style"]>> = { degraded: "yellow", unhealthy: "red", unknown: "dim" };

/** Do we hear of the cluster? */
export function connectivityCell({ connectivity: { state } }: ClusterView): Cell {
  return cell(state, CONNECTIVITY_STYLES[state]);
}

/** What we hear of it. */
export function healthCell(cluster: ClusterView): Cell {
  const health = recordText(cluster, "health_status") ?? "unknown";
  return cell(health, HEALTH_STYLES[health]);
}

/** Both in one word: its health while we hear of it, else why we do not. */
export function stateCell(cluster: ClusterView): Cell {
  return cluster.connectivity.state === "online" ? healthCell(cluster) : connectivityCell(cluster);
}

function cell(text: string, style: Cell["style"]): Cell {
  return style === undefined ? { text } : { text, style };
}
