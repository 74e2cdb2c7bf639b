import type { CapacityReport, WorkloadFigures } from "@plimsoll/contracts";
import { formatPercent } from "../../format/percent.ts";
import { formatCount, formatQuantity } from "../../format/quantity.ts";
import { html, type Markup } from "./markup.ts";

const TOP_WORKLOADS = 10;

/** The workloads that hold most of the cluster: by their larger share of allocatable cpu or memory. */
export function workloadTable(workloads: readonly WorkloadFigures[], capacity: CapacityReport): Markup {
  const top = [...workloads].sort((a, b) => weight(b, capacity) - weight(a, capacity)).slice(0, TOP_WORKLOADS);
  const rest = workloads.length - top.length;
  const cells = (workload: WorkloadFigures, name: string, unit: "millicores" | "bytes") => {
    const requested = workload.requested[name] ?? 0n;
    return html`<td class="num">${formatQuantity(unit, requested)} <b>${formatPercent(requested, capacity.resources[name]?.allocatable)}</b></td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Largest workloads"><table class="list"><thead><tr><th scope="col">Workload</th><th scope="col" class="num">Pods</th><th scope="col" class="num">CPU requested</th><th scope="col" class="num">Memory requested</th></tr></thead>
<tbody>${top.map((workload) => html`<tr><th scope="row">${workload.workload_name}<span class="sub">${workload.workload_type} in ${workload.namespace}</span></th><td class="num">${formatCount(workload.pods)}</td>${cells(workload, "cpu", "millicores")}${cells(workload, "memory", "bytes")}</tr>`)}</tbody></table></div>
${rest > 0 && html`<p class="muted">${formatCount(rest)} smaller ones are in -o json.</p>`}`;
}

function weight({ requested }: WorkloadFigures, { resources }: CapacityReport): number {
  const shares = ["cpu", "memory"].map(
    (name) => Number(requested[name] ?? 0n) / (Number(resources[name]?.allocatable ?? 0n) || 1),
  );
  return Math.max(...shares);
}
