import { PlimsollError } from "@plimsoll/contracts";
import { expect, test } from "vitest";
import { createProjectors } from "../projection/projectors.ts";
import type { KubeConnection, RequestOptions } from "./connection.ts";
import { type PagedListOptions, pagedList } from "./paged-list.ts";

interface Page {
  readonly metadata: object;
  readonly items: readonly unknown[];
}

/** A connection that answers lists in turn and remembers what was asked. */
function connection(...answers: (Page | Error)[]): KubeConnection & { readonly queries: RequestOptions["query"][] } {
  const queries: RequestOptions["query"][] = [];
  return {
    server: "https://a",
    context: "shop",
    queries,
    getList: async (_path, onItem, options) => {
      queries.push(options?.query);
      const answer = answers.shift();
      if (answer instanceof Error || answer === undefined) throw answer;
      for (const item of answer.items) onItem(item);
      return { ...answer, items: [] };
    },
    getJson: () => Promise.reject(new Error("not asked for")),
    getText: () => Promise.reject(new Error("not asked for")),
    streamLines: () => Promise.reject(new Error("not asked for")),
    close: () => {},
  };
}

const namespace = (name: string, uid = name, more: object = {}) => ({
  metadata: { name, uid, resourceVersion: "1" },
  ...more,
});
const page = (items: readonly unknown[], token?: string, resourceVersion = "9") => ({
  metadata: { resourceVersion, continue: token },
  items,
});
const expired = () => new PlimsollError("list_expired", { server: "https://a", what: "namespaces" });

const list = (conn: KubeConnection, more: Partial<PagedListOptions<{ metadata: { name: string } }>> = {}) =>
  pagedList(conn, { path: "/api/v1/namespaces", what: "namespaces", project: createProjectors().namespaces, ...more });

test("pages are joined, each asked for with the token of the one before", async () => {
  const conn = connection(page([namespace("a")], "t1"), page([namespace("b")], "t2"), page([namespace("c")], ""));
  const counts: number[] = [];
  const result = await list(conn, { onPage: (objects) => counts.push(objects) });
  expect(result.items.map((item) => item.object.metadata.name)).toEqual(["a", "b", "c"]);
  expect(result.resourceVersion).toBe("9");
  expect(conn.queries).toEqual([
    { limit: 500, continue: undefined },
    { limit: 500, continue: "t1" },
    { limit: 500, continue: "t2" },
  ]);
  expect(counts).toEqual([1, 2, 3]);
});

test("the same UID twice is one object, the later state wins", async () => {
  const conn = connection(
    page([namespace("a", "u")], "t"),
    page([namespace("a", "u", { status: { phase: "Active" } })]),
  );
  expect((await list(conn)).items.map((item) => item.object)).toMatchObject([{ status: { phase: "Active" } }]);
});

test("an expired token starts the list again from nothing, once", async () => {
  const conn = connection(page([namespace("gone")], "t"), expired(), page([namespace("a")]));
  expect((await list(conn)).items.map((item) => item.uid)).toEqual(["a"]);
  expect(conn.queries.map((query) => query?.limit)).toEqual([500, 500, 2500]);
  await expect(list(connection(page([], "t"), expired(), page([], "t"), expired()))).rejects.toMatchObject({
    code: "list_expired",
  });
});

test("a list whose own data have a wrong shape is api_answer_invalid: its next page cannot be asked for", async () => {
  const broken = { metadata: { continue: 7 }, items: [] };
  await expect(list(connection(broken))).rejects.toMatchObject({ code: "api_answer_invalid" });
});

test("an object of a wrong shape is left out and told, the others stay", async () => {
  const told: string[] = [];
  const conn = connection(
    page([namespace("a"), { metadata: { name: "b" } }, "text", namespace("c", "c", { status: 5 })]),
  );
  const result = await list(conn, { onUnusable: (error) => told.push(error.message) });
  expect(result.items.map((item) => item.uid)).toEqual(["a"]);
  expect(told).toEqual([
    "namespaces b: metadata.uid is missing",
    "one of namespaces: it is a text, not an object",
    "namespaces c: status is a number, not an object",
  ]);
});

test("what the projection throws besides object_unusable is a defect and passes", async () => {
  const defect = new TypeError("defect");
  const project = () => {
    throw defect;
  };
  await expect(list(connection(page([namespace("a")])), { project })).rejects.toBe(defect);
});
