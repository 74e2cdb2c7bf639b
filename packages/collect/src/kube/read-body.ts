import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { PlimsollError } from "@plimsoll/contracts";
import { JsonSplitter } from "../dump/split/json-splitter.ts";
import { type Asked, bodyFailure } from "./failures.ts";

/** Whole bodies are small answers (a version, an error, metrics of a kubelet); lists are read item by item. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** etcd refuses objects of more than 1.5 MiB; JSON and managed fields can make that a few times larger. */
const MAX_ITEM_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole body as text, unpacking gzip. Rejects with what the socket reported when the connection breaks, with
 * api_answer_invalid when it is larger than `maxBytes` or no gzip although it says so.
 */
export async function readBody(answer: IncomingMessage, asked: Asked, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await unpacked(answer, asked)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw invalid(asked, `an answer of more than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks, bytes).toString("utf8");
}

/**
 * Reads a list and gives each element of its `items` to `onItem` as soon as it is there, so that neither the bytes nor the
 * objects of a page are ever held together. Resolves with the list without its items. Rejects as `readBody` does, with
 * api_answer_invalid when it is no JSON or has no items, and with what `onItem` throws.
 */
export async function readItems(
  answer: IncomingMessage,
  asked: Asked,
  onItem: (raw: unknown) => void,
): Promise<Readonly<Record<string, unknown>>> {
  let list: unknown;
  const ignore = () => {};
  const events = {
    listStart: ignore,
    arrayEnd: ignore,
    item: (parse: () => unknown) => onItem(judged(parse)),
    documentEnd: (header: unknown) => {
      list = header;
    },
  };
  let head = "";
  /** What the splitter says of a file, said of an answer. */
  const judged = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PlimsollError) || !error.code.startsWith("dump_")) throw error;
      throw bodyFailure(answer.headers["content-type"] ?? "", head, asked, error.message);
    }
  };
  const splitter = new JsonSplitter(asked.what, events, MAX_ITEM_BYTES);
  for await (const chunk of await unpacked(answer, asked)) {
    head ||= chunk.toString("utf8", 0, 200);
    judged(() => splitter.push(chunk));
  }
  judged(() => splitter.end());
  if (!isObject(list) || !("items" in list) || !(list.items === null || Array.isArray(list.items))) {
    throw bodyFailure(answer.headers["content-type"] ?? "", head, asked, "it has no items");
  }
  return list;
}

/** The bytes of an answer. A broken connection shows as its own error, broken gzip as api_answer_invalid. */
async function unpacked(answer: IncomingMessage, asked: Asked): Promise<AsyncIterable<Buffer>> {
  if (answer.headers["content-encoding"] !== "gzip") return answer;
  const { createGunzip } = await import("node:zlib");
  const gunzip = createGunzip();
  pipeline(answer, gunzip, () => {});
  return (async function* () {
    try {
      yield* gunzip;
    } catch (error) {
      const isBroken = error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
      throw isBroken ? invalid(asked, `gzip that cannot be unpacked (${error.message})`) : error;
    }
  })();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(asked: Asked, reason: string): PlimsollError {
  return new PlimsollError("api_answer_invalid", { ...asked, reason });
}
