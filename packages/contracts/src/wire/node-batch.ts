import { BatchReader } from "./batch-reader.ts";
import { BatchWriter } from "./batch-writer.ts";
import { decodeIntegrals } from "./column-reader.ts";
import { encodeIntegrals } from "./column-writer.ts";
import { type Decoding, flag } from "./decoding.ts";
import type { Fields } from "./fields.ts";
import { DEFAULT_WIRE_LIMITS, HOUR_MS, type WireLimits } from "./limits.ts";
import type { NodeQuantities, NodeRow } from "./node-row.ts";
import { type ResourceBlock, readResourceBlocks, startResourceBlock, toResourceBlocks } from "./resource-blocks.ts";
import type { TextTableWriter } from "./text-table.ts";

/** Columns of optional texts, by field number. */
const TEXT_COLUMNS = [
  ["instanceType", 16],
  ["region", 17],
  ["zone", 18],
  ["pool", 19],
  ["machineDeployment", 20],
  ["providerId", 21],
] as const;

/** Node rows as a `NodeBatch` message. Throws `batch_invalid` when a number is not whole, negative or too large. */
export function encodeNodeBatch(rows: readonly NodeRow[]): Uint8Array {
  const batch = new BatchWriter(rows, "node");
  const { identifiers, texts, body } = batch;
  for (const row of rows) identifiers.add(row.nodeUid);
  batch
    .column(10, "node_uid", (row) => identifiers.index(row.nodeUid))
    .column(11, "hour_start", (row) => row.hourStartMs)
    .column(12, "as_of", (row) => row.asOfMs)
    .column(13, "node_name", (row) => texts.code(row.nodeName))
    .column(14, "created", (row) => row.createdMs)
    .column(15, "deleted", (row) => row.deletedMs ?? 0);
  for (const [name, no] of TEXT_COLUMNS) batch.column(no, name, (row) => texts.code(row[name]));
  batch
    .column(22, "spot", (row) => Number(row.spot))
    .column(23, "virtual", (row) => Number(row.virtual))
    .column(24, "present", (row) => row.presentMs)
    .column(25, "schedulable", (row) => row.schedulableMs);
  for (const block of toResourceBlocks(rows)) body.blob(30, encodeResource(block, rows.length, texts));
  return batch.finish();
}

function encodeResource(block: ResourceBlock<NodeQuantities>, batchRows: number, texts: TextTableWriter): Uint8Array {
  const quantities = (field: "capacity" | "allocatable"): Uint8Array | undefined => {
    const values = block.values.map((value) => value[field]);
    return encodeIntegrals(values, `node.resources.${field}`);
  };
  return startResourceBlock(block, batchRows, texts, "node.resources")
    .blob(4, quantities("capacity"))
    .blob(5, quantities("allocatable"))
    .finish();
}

/** A `NodeBatch` message as rows. Throws `batch_invalid`, `batch_time_invalid` or `batch_too_large`, nothing else. */
export function decodeNodeBatch(bytes: Uint8Array, limits: WireLimits = DEFAULT_WIRE_LIMITS): readonly NodeRow[] {
  const batch = new BatchReader(bytes, "node", limits);
  const { fields, rows, texts, identifiers, decoding } = batch;
  const nodeUids = batch.column(10, "node_uid", identifiers.length - 1);
  const hours = batch.column(11, "hour_start");
  const asOfs = batch.column(12, "as_of");
  const nodeNames = batch.column(13, "node_name", texts.maxCode);
  const created = batch.column(14, "created");
  const deleted = batch.column(15, "deleted");
  const [instanceType, region, zone, pool, machineDeployment, providerId] = TEXT_COLUMNS.map(([name, no]) =>
    batch.column(no, name, texts.maxCode),
  );
  const spot = batch.column(22, "spot", 1);
  const virtual = batch.column(23, "virtual", 1);
  const present = batch.column(24, "present", HOUR_MS);
  const schedulable = batch.column(25, "schedulable", HOUR_MS);
  const resources = readResourceBlocks(fields, 30, "node.resources", rows, texts, decoding, (block, count) =>
    readQuantities(block, count, decoding),
  );
  return Array.from({ length: rows }, (_, row) => {
    const createdMs = batch.time(created, row, "created");
    return {
      nodeUid: batch.identifier(nodeUids[row], "node_uid"),
      ...batch.hour(hours, asOfs, row),
      nodeName: texts.required(nodeNames[row], "node.node_name"),
      createdMs,
      deletedMs: decoding.end(createdMs, deleted[row] ?? 0, "node.deleted").endMs,
      instanceType: texts.optional(instanceType?.[row]),
      region: texts.optional(region?.[row]),
      zone: texts.optional(zone?.[row]),
      pool: texts.optional(pool?.[row]),
      machineDeployment: texts.optional(machineDeployment?.[row]),
      providerId: texts.optional(providerId?.[row]),
      spot: flag(spot[row]),
      virtual: flag(virtual[row]),
      presentMs: present[row] ?? 0,
      schedulableMs: schedulable[row] ?? 0,
      resources: batch.entry(resources, row, "resources"),
    };
  });
}

function readQuantities(block: Fields, rows: number, decoding: Decoding): (index: number) => NodeQuantities {
  const capacity = decodeIntegrals(block.blob(4, "capacity"), "node.resources.capacity", rows, decoding);
  const allocatable = decodeIntegrals(block.blob(5, "allocatable"), "node.resources.allocatable", rows, decoding);
  return (index) => ({ capacity: capacity[index] ?? 0n, allocatable: allocatable[index] ?? 0n });
}
