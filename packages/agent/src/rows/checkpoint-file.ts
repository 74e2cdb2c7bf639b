import { decodeNodeBatch, decodeUsageBatch, encodeNodeBatch, encodeUsageBatch } from "@plimsoll/contracts/wire";
import type { MeterCheckpoint } from "@plimsoll/core";
import { z } from "zod";
import { frameEntry, scanEntries } from "../spool/entry-frame.ts";
import { readIfThere, writePrivateFile } from "../state/private-file.ts";
import { encodeInParts } from "./encode-in-parts.ts";

/** What a part of the file holds, by its first byte. */
const HEAD = 0x68;
const USAGE = 0x75;
const NODES = 0x6e;

const Head = z.object({
  podsSeenMs: z.number().nullable(),
  nodesSeenMs: z.number().nullable(),
  parts: z.number().int(),
});

/** Replaces the checkpoint of the meter. Rejects as `fs` does. */
export async function writeCheckpoint(path: string, checkpoint: MeterCheckpoint): Promise<void> {
  const parts: Uint8Array[] = [];
  const add = (kind: number, bytes: Uint8Array): void => {
    parts.push(frameEntry(parts.length + 1, Buffer.concat([Buffer.from([kind]), bytes])));
  };
  // A row that has no form on the wire is told as refused where it is spooled; a checkpoint without it is still one.
  await encodeInParts(
    checkpoint.usage,
    (rows) => add(USAGE, encodeUsageBatch(rows)),
    () => {},
  );
  await encodeInParts(
    checkpoint.nodes,
    (rows) => add(NODES, encodeNodeBatch(rows)),
    () => {},
  );
  const { podsSeenMs, nodesSeenMs } = checkpoint;
  const head: z.infer<typeof Head> = { podsSeenMs, nodesSeenMs, parts: parts.length };
  add(HEAD, Buffer.from(JSON.stringify(head)));
  await writePrivateFile(path, Buffer.concat(parts));
}

/** The checkpoint of an earlier run; undefined when there is none, or what is there is damaged or of another release. */
export async function readCheckpoint(path: string): Promise<MeterCheckpoint | undefined> {
  const bytes = await readIfThere(path);
  if (!bytes) return undefined;
  try {
    const payloads = scanEntries(bytes).entries.map(({ payload }) => ({ kind: payload[0], body: payload.subarray(1) }));
    const of = (kind: number) => payloads.filter((part) => part.kind === kind).map(({ body }) => body);
    const [head] = of(HEAD).map((body) => Head.parse(JSON.parse(Buffer.from(body).toString("utf8"))));
    if (!head || head.parts !== payloads.length - 1) return undefined;
    return {
      podsSeenMs: head.podsSeenMs,
      nodesSeenMs: head.nodesSeenMs,
      usage: of(USAGE).flatMap((body) => decodeUsageBatch(body)),
      nodes: of(NODES).flatMap((body) => decodeNodeBatch(body)),
    };
  } catch {
    return undefined;
  }
}
