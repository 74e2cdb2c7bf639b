import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Capacity, CapacitySchema, Quantities } from "../gen/plimsoll/v1/report_pb.ts";
import { type CapacityReport, EXCLUSION_REASONS, type ExcludedNodes } from "../scan-report.ts";
import { unitOf } from "../units.ts";
import { refuseMessage } from "./message-values.ts";

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/** Watermark figures as a message. Throws `message_invalid` for a figure above 2^63 - 1. */
export function toCapacity(report: CapacityReport): MessageInitShape<typeof CapacitySchema> {
  return {
    nodesTotal: report.nodes.total,
    nodesSchedulable: report.nodes.schedulable,
    nodesReportingUsage: report.nodes.reportingUsage,
    excluded: report.nodes.excludedFigures.map(({ reason, nodes, capacity, allocatable, requested }) => ({
      reason,
      nodes,
      capacity: { byResource: checkedAll(capacity) },
      allocatable: { byResource: checkedAll(allocatable) },
      ...(requested && { requested: { byResource: checkedAll(requested) } }),
    })),
    resources: Object.entries(report.resources).map(([resource, figures]) => ({
      resource,
      capacity: checked(figures.capacity),
      allocatable: checked(figures.allocatable),
      requested: present(figures.requested),
      limits: present(figures.limits),
      limitsPartial: figures.limitsPartial,
      used: present(figures.used),
      pending: present(figures.pending),
      requestedAllocatable: present(figures.requestedAllocatable),
      usedAllocatable: present(figures.usedAllocatable),
    })),
  };
}

/** Watermark figures of a message. Throws `message_invalid`. */
export function fromCapacity(message: Capacity): CapacityReport {
  const excluded = message.excluded.map(
    (nodes): ExcludedNodes => ({
      reason:
        EXCLUSION_REASONS.find((reason) => reason === nodes.reason) ??
        refuseMessage("capacity.excluded.reason", `"${nodes.reason.slice(0, 80)}" is not known to this release`),
      nodes: nodes.nodes,
      capacity: readQuantities(nodes.capacity),
      allocatable: readQuantities(nodes.allocatable),
      requested: nodes.requested ? readQuantities(nodes.requested) : null,
    }),
  );
  return {
    nodes: {
      total: message.nodesTotal,
      schedulable: message.nodesSchedulable,
      excluded: Object.fromEntries(excluded.map(({ reason, nodes }) => [reason, nodes])),
      excludedFigures: excluded,
      reportingUsage: message.nodesReportingUsage,
    },
    resources: Object.fromEntries(
      message.resources.map((figures) => [
        figures.resource,
        {
          unit: unitOf(figures.resource),
          capacity: checked(figures.capacity),
          allocatable: checked(figures.allocatable),
          requested: optional(figures.requested),
          requestedAllocatable: optional(figures.requestedAllocatable),
          limits: optional(figures.limits),
          limitsPartial: figures.limitsPartial,
          used: optional(figures.used),
          usedAllocatable: optional(figures.usedAllocatable),
          pending: optional(figures.pending),
        },
      ]),
    ),
  };
}

function readQuantities(quantities: Quantities | undefined): Readonly<Record<string, bigint>> {
  return checkedAll(quantities?.byResource ?? {});
}

function checkedAll(byResource: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(byResource).map(([resource, quantity]) => [resource, checked(quantity)]));
}

function present(quantity: bigint | null): bigint | undefined {
  return quantity === null ? undefined : checked(quantity);
}

function optional(quantity: bigint | undefined): bigint | null {
  return quantity === undefined ? null : checked(quantity);
}

function checked(quantity: bigint): bigint {
  return quantity <= MAX_INT64 ? quantity : refuseMessage("capacity", `${quantity} is above 2^63 - 1`);
}
