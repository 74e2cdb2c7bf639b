import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeNodeBatch, decodeUsageBatch, encodeNodeBatch, encodeUsageBatch } from "@plimsoll/contracts/wire";
import type { MeterCheckpoint } from "@plimsoll/core";
import { z } from "zod";
import { readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import { sealInParts } from "./seal-in-parts.ts";

const Kept = z.object({
  incarnation: z.number().int(),
  podsSeenMs: z.number().nullable(),
  nodesSeenMs: z.number().nullable(),
  /** Batch messages, base64. */
  usage: z.array(z.string()),
  nodes: z.array(z.string()),
});

/** Where a pulled cluster's meter goes on after a restart of the hub. */
export interface CheckpointFile {
  /** Undefined = none, or one that cannot be read: then the meter begins anew, with coverage below 1. */
  read(incarnation: number): Promise<MeterCheckpoint | undefined>;
  write(incarnation: number, checkpoint: MeterCheckpoint): Promise<void>;
  remove(): Promise<void>;
}

/** The file of a cluster below the data folder. */
export function checkpointFile(dataDir: string, clusterId: string): CheckpointFile {
  const folder = join(dataDir, "pull");
  const path = join(folder, `${clusterId}.json`);
  return {
    async read(incarnation) {
      try {
        const kept = Kept.parse(JSON.parse((await readPrivateFile(path)) ?? "null"));
        return kept.incarnation === incarnation ? toCheckpoint(kept) : undefined;
      } catch {
        return undefined;
      }
    },
    async write(incarnation, checkpoint) {
      await mkdir(folder, { recursive: true });
      const { podsSeenMs, nodesSeenMs } = checkpoint;
      const usage = encoded(checkpoint.usage, encodeUsageBatch);
      const nodes = encoded(checkpoint.nodes, encodeNodeBatch);
      const kept: z.infer<typeof Kept> = { incarnation, podsSeenMs, nodesSeenMs, usage, nodes };
      await writePrivateFile(path, JSON.stringify(kept));
    },
    remove: () => rm(path, { force: true }),
  };
}

function toCheckpoint({ podsSeenMs, nodesSeenMs, usage, nodes }: z.infer<typeof Kept>): MeterCheckpoint {
  return {
    podsSeenMs,
    nodesSeenMs,
    usage: usage.flatMap((text) => decodeUsageBatch(Buffer.from(text, "base64"))),
    nodes: nodes.flatMap((text) => decodeNodeBatch(Buffer.from(text, "base64"))),
  };
}

/** A row that has no form on the wire is told as refused where it is delivered; a checkpoint without it is still one. */
function encoded<R>(rows: readonly R[], encode: (rows: readonly R[]) => Uint8Array): string[] {
  const parts: string[] = [];
  sealInParts(
    rows,
    (part) => void parts.push(Buffer.from(encode(part)).toString("base64")),
    () => {},
  );
  return parts;
}
