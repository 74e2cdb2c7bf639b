export * from "./absence.ts";
export * from "./error-table.ts";
export * from "./errors.ts";
export * from "./facts.ts";
export * from "./inventory-record.ts";
export * from "./kube.ts";
export type { MetricDefinition } from "./metric-definition.ts";
export * from "./money.ts";
export * from "./policy-ranges.ts";
export * from "./scan-report.ts";
export * from "./units.ts";
export {
  fromWireQuantity,
  roundSample,
  sampleStepOf,
  toWireQuantity,
  type WireUnit,
  wireUnitOf,
} from "./wire/wire-units.ts";
