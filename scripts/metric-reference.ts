import type { MetricDefinition } from "@plimsoll/contracts";
import { AGENT_METRICS } from "../packages/agent/src/metrics/agent-metric-table.ts";
import { HUB_METRICS } from "../packages/hub/src/metrics/hub-metric-table.ts";
import { tableRow } from "./markdown-table.ts";

/** The page of all metrics, in the tables' order. */
export function metricReference(): string {
  return [
    "# Metrics",
    "",
    "Generated from `hub-metric-table.ts` and `agent-metric-table.ts` by `npm run update:docs`; do not edit.",
    "Prometheus' text format at `/metrics`: of a hub on the port of its API, of an agent where `--listen` says (`:9464` in the manifest).",
    "Values of labels are few and known: no pod, namespace or cluster is named in them. Counters begin at 0 with the process.",
    "Alert rules and a dashboard are in [deploy/mixin](../../deploy/mixin), what to do about each alert in [alerts](../guides/alerts.md).",
    "",
    "## Hub",
    "",
    "Besides these, what the runtime says of its process: `process_*` and `nodejs_*`. With the roles apart, each process has its own part.",
    "",
    ...table(HUB_METRICS),
    "",
    "## Agent",
    "",
    ...table(AGENT_METRICS),
    "",
  ].join("\n");
}

function table(metrics: Readonly<Record<string, MetricDefinition>>): readonly string[] {
  const rows = Object.entries(metrics).map(([name, { type, help, labels = {} }]) => {
    const described = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
    return tableRow([`\`${name}\``, type, help, described.join("; ")]);
  });
  return ["| metric | type | what | labels |", "|---|---|---|---|", ...rows];
}
