import { PlimsollError } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { createProjectors } from "../projection/projectors.ts";
import type { KubeConnection, RequestOptions } from "./connection.ts";
import { listWatch, type WatchState } from "./list-watch.ts";
import { createManualClock } from "./testing/manual-clock.ts";

interface List {
  readonly metadata: object;
  readonly items: readonly object[];
}

/** What one watch brings: lines, then an error or a clean end; `lastsMs` passes on the clock before its end. */
interface Script {
  readonly lines?: readonly string[];
  readonly error?: Error;
  readonly lastsMs?: number;
}

const object = (name: string, resourceVersion: string, more: object = {}) => ({
  metadata: { name, uid: name, resourceVersion },
  ...more,
});
const line = (type: string, raw: object) => JSON.stringify({ type, object: raw });
const status = (code: number, more: object = {}) => line("ERROR", { kind: "Status", code, message: "why", ...more });
const cut = () => new PlimsollError("cluster_unreachable", { server: "s", context: "c", reason: "cut" });

/** Runs the loop over scripted lists and watches until they are used up; gives what it told and asked. */
async function play(lists: readonly (List | Error)[], watches: readonly Script[]) {
  const clock = createManualClock(undefined, 120_000);
  const controller = new AbortController();
  const [restLists, restWatches] = [[...lists], [...watches]];
  const queries: RequestOptions["query"][] = [];
  const next = <T>(rest: T[]): T => {
    const item = rest.shift();
    if (item === undefined) {
      controller.abort(new Error("the script is over"));
      throw controller.signal.reason;
    }
    return item;
  };
  const conn: KubeConnection = {
    server: "s",
    context: "c",
    getList: async (_path, onItem) => {
      const list = next(restLists);
      if (list instanceof Error) throw list;
      for (const item of list.items) onItem(item);
      return { metadata: list.metadata };
    },
    getJson: () => Promise.reject(new Error("not asked for")),
    getText: () => Promise.reject(new Error("not asked for")),
    streamLines: async (_path, options) => {
      const script = next(restWatches);
      queries.push(options.query);
      return (async function* () {
        yield* script.lines ?? [];
        clock.advance(script.lastsMs ?? 0);
        if (script.error) throw script.error;
      })();
    },
    close: () => {},
  };
  const told: string[] = [];
  const states: WatchState[] = [];
  await listWatch(
    conn,
    {
      path: "/api/v1/namespaces",
      what: "namespaces",
      project: createProjectors().namespaces,
      clock,
      random: () => 0.5,
      onEvent: (event) => {
        told.push("object" in event ? `${event.type} ${event.uid}` : `${event.type} ${event.objects}`);
      },
      onState: (state) => states.push(state),
    },
    controller.signal,
  );
  const waits = states.flatMap((state) => (state.kind === "failing" ? [state.waitMs] : []));
  const codes = states.flatMap((state) => (state.kind === "failing" ? [state.error.code] : []));
  return { told, states, waits, codes, versions: queries.map((query) => query?.resourceVersion), queries };
}

const list = (version: string, ...items: object[]): List => ({ metadata: { resourceVersion: version }, items });
const FINE = { lastsMs: 300_000 };

describe("what a watch says", () => {
  test("a change that was heard before is not told again", async () => {
    const again = line("ADDED", object("a", "1"));
    const change = line("MODIFIED", object("a", "5"));
    const { told } = await play([list("4", object("a", "1"))], [{ lines: [again, change, change], ...FINE }]);
    expect(told).toEqual(["added a", "synced 1", "modified a"]);
  });

  test("a deletion of what is not known is not told", async () => {
    const { told } = await play([list("4")], [{ lines: [line("DELETED", object("a", "5"))], ...FINE }]);
    expect(told).toEqual(["synced 0"]);
  });

  test("the version follows events, bookmarks and deletions", async () => {
    const { versions } = await play(
      [list("4", object("a", "1"))],
      [
        { lines: [line("ADDED", object("b", "6"))], ...FINE },
        { lines: [line("BOOKMARK", { metadata: { resourceVersion: "9" } })], ...FINE },
        { lines: [line("DELETED", object("a", "12"))], ...FINE },
        FINE,
      ],
    );
    expect(versions).toEqual(["4", "6", "9", "12"]);
  });

  test("an object of a wrong shape is told as unusable, the version moves on and the known state stays", async () => {
    const { told, states, versions } = await play(
      [list("4", object("a", "1"))],
      [{ lines: [line("MODIFIED", object("a", "7", { status: 5 }))], ...FINE }, FINE],
    );
    expect(told).toEqual(["added a", "synced 1"]);
    expect(states.filter((state) => state.kind === "unusable")).toHaveLength(1);
    expect(versions).toEqual(["4", "7"]);
  });

  test("an event of a type from the future is passed over", async () => {
    const { told, codes } = await play([list("4")], [{ lines: [line("PROGRESS", object("a", "5"))], ...FINE }]);
    expect(told).toEqual(["synced 0"]);
    expect(codes).toEqual([]);
  });

  test.each([{ broken: "{" }, { broken: "[]" }, { broken: '{"type":"ADDED"}' }])(
    "$broken is no event: a new list makes good what it may have said",
    async ({ broken }) => {
      const { told } = await play([list("4"), list("5", object("a", "5"))], [{ lines: [broken] }, FINE]);
      expect(told).toEqual(["synced 0", "added a", "synced 1"]);
    },
  );

  test("bookmarks are asked for, and each watch ends at a random time", async () => {
    const { queries } = await play([list("4")], [FINE]);
    expect(queries[0]).toEqual({ watch: 1, allowWatchBookmarks: true, resourceVersion: "4", timeoutSeconds: 450 });
  });
});

describe("how long it waits", () => {
  test("after cuts it waits longer each time, up to a minute, and starts over when something came", async () => {
    const failing = Array.from({ length: 9 }, () => ({ error: cut() }));
    const alive = { lines: [line("BOOKMARK", { metadata: { resourceVersion: "5" } })], error: cut() };
    const { waits } = await play([list("4")], [...failing, alive, FINE]);
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 250]);
  });

  test("410 is listed again at once; again and again it waits", async () => {
    const gone = { lines: [status(410)] };
    const { waits, codes, told } = await play(Array(4).fill(list("4")), [gone, gone, gone, FINE]);
    expect(codes).toEqual(["list_expired", "list_expired", "list_expired"]);
    expect(waits).toEqual([0, 500, 1000]);
    expect(told).toEqual(Array(4).fill("synced 0"));
  });

  test("429 inside a watch is obeyed, bounded", async () => {
    const busy = (retryAfterSeconds: number) => ({ lines: [status(429, { details: { retryAfterSeconds } })] });
    const { waits, codes } = await play([list("4")], [busy(7), busy(100_000), FINE]);
    expect(codes).toEqual(["cluster_busy", "cluster_busy"]);
    expect(waits).toEqual([7_250, 60_500]);
  });

  test("another error inside a watch goes on from the same version", async () => {
    const { codes, versions } = await play([list("4")], [{ lines: [status(500)] }, FINE]);
    expect(codes).toEqual(["api_error"]);
    expect(versions).toEqual(["4", "4"]);
  });

  test("a server that ends watches at once is not asked in a tight loop; one that ends them in time is", async () => {
    const { waits } = await play([list("4")], [{}, {}, {}, FINE, {}, FINE]);
    expect(waits).toEqual([250, 500, 1000, 250]);
  });

  test("a list that fails is tried again, also without rights: they may be granted", async () => {
    const forbidden = new PlimsollError("cluster_forbidden", { resource: "namespaces", context: "c" });
    const { codes, told, waits } = await play([forbidden, forbidden, list("4")], [FINE]);
    expect(codes).toEqual(["cluster_forbidden", "cluster_forbidden"]);
    expect(waits).toEqual([250, 500]);
    expect(told).toEqual(["synced 0"]);
  });
});

test("a defect of ours ends the loop", async () => {
  await expect(play([new TypeError("defect")], [])).rejects.toThrow("defect");
});
