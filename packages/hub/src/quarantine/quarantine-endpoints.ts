import {
  QuarantineDrop,
  QuarantineDropRequest,
  QuarantineList,
  QuarantineQuery,
  QuarantineReplay,
  QuarantineView,
} from "@plimsoll/contracts/rest";
import { z } from "zod";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import { dropEntry } from "./drop-entry.ts";
import { listEntries } from "./list-entries.ts";
import { entryOf, type QuarantineDeps } from "./quarantine-deps.ts";
import { replayEntry } from "./replay-entry.ts";
import { viewEntry } from "./view-entry.ts";

const EntryPath = z.object({ entry: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
const PATH = "/api/v1/quarantine";

/** Batches that could not be applied: seen, tried again, or given up. */
export function quarantineEndpoints(deps: QuarantineDeps): readonly Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: PATH,
      access: { verb: "list", noun: "quarantine" },
      summary: "Batches that could not be applied, newest first",
      params: null,
      query: QuarantineQuery,
      body: null,
      answer: QuarantineList,
      handle: ({ query }, context) => listEntries(deps, query, context),
    }),
    endpoint({
      method: "GET",
      path: `${PATH}/:entry`,
      access: { verb: "read", noun: "quarantine" },
      summary: "One of them, with its head and its first rows as far as they can be read",
      params: EntryPath,
      query: null,
      body: null,
      answer: QuarantineView,
      handle: async ({ params }, { scope }) => viewEntry(deps, await entryOf(deps, params.entry, scope), scope),
    }),
    endpoint({
      method: "POST",
      path: `${PATH}/:entry/replay`,
      access: { verb: "update", noun: "quarantine" },
      summary: "Lets it go through ingest again as it is: it counts once, or stays",
      params: EntryPath,
      query: null,
      body: null,
      answer: QuarantineReplay,
      handle: async ({ params }, context) =>
        replayEntry(deps, await entryOf(deps, params.entry, context.scope), context),
    }),
    endpoint({
      method: "POST",
      path: `${PATH}/:entry/drop`,
      access: { verb: "delete", noun: "quarantine" },
      summary: "Gives it up for good: a gap record says what is missing",
      params: EntryPath,
      query: null,
      body: QuarantineDropRequest,
      answer: QuarantineDrop,
      handle: async ({ params, body }, context) =>
        dropEntry(deps, await entryOf(deps, params.entry, context.scope), body.reason, context),
    }),
  ];
}
