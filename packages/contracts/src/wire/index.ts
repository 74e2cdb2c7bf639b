/**
 * The wire between agent and hub (`proto/plimsoll/v1`): rows, batches, envelopes, messages. A subpath of its own, so that
 * nothing that only needs types and units loads protobuf and Snappy.
 */

export { create } from "@bufbuild/protobuf";
export * from "../gen/plimsoll/v1/control_pb.ts";
export * from "../gen/plimsoll/v1/ingest_pb.ts";
export * from "../gen/plimsoll/v1/report_pb.ts";
export * from "./ack-message.ts";
export * from "./batch.ts";
export * from "./codec.ts";
export * from "./dynamic-facts.ts";
export * from "./dynamic-report.ts";
export * from "./envelope.ts";
export * from "./gap-batch.ts";
export * from "./gap-row.ts";
export * from "./limits.ts";
export * from "./negotiate-version.ts";
export * from "./node-batch.ts";
export * from "./node-row.ts";
export * from "./open-envelope.ts";
export * from "./parse-envelope.ts";
export * from "./read-sample-batch.ts";
export * from "./read-usage-batch.ts";
export * from "./sample-batch.ts";
export * from "./sample-row.ts";
export * from "./seal-batch.ts";
export * from "./services.ts";
export * from "./usage-batch.ts";
export * from "./usage-row.ts";
export * from "./wire-units.ts";
