import { expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";

/** A task that runs until it is ended by hand. */
function task(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = () => {
    log.push(name);
    return promise;
  };
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("at most max tasks run, the others start in order of arrival, after failures too", async () => {
  const limit = createLimiter(2);
  const started: string[] = [];
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => task(started, name));
  if (!a || !b || !c || !d) throw new Error("four tasks");
  const results = [a, b, c, d].map((item) => limit(item.run).catch((error: Error) => `failed ${error.message}`));
  await settled();
  expect(started).toEqual(["a", "b"]);
  b.fail();
  await settled();
  expect(started).toEqual(["a", "b", "c"]);
  c.end();
  a.end();
  d.end();
  expect(await Promise.all(results)).toEqual(["a", "failed b", "c", "d"]);
});

test("a slot that becomes free goes to the one who waits, not to one who comes at that moment", async () => {
  const limit = createLimiter(1);
  const started: string[] = [];
  const [first, waiting, late] = ["first", "waiting", "late"].map((name) => task(started, name));
  if (!first || !waiting || !late) throw new Error("three tasks");
  const ended = limit(first.run).then(() => limit(late.run));
  const waited = limit(waiting.run);
  await settled();
  first.end();
  await settled();
  expect(started).toEqual(["first", "waiting"]);
  waiting.end();
  late.end();
  await Promise.all([ended, waited]);
});

test("who gives up while waiting never starts and takes no slot", async () => {
  const limit = createLimiter(1);
  const started: string[] = [];
  const [first, gone, next] = ["first", "gone", "next"].map((name) => task(started, name));
  if (!first || !gone || !next) throw new Error("three tasks");
  const running = limit(first.run);
  const controller = new AbortController();
  const reason = new Error("enough");
  const refused = expect(limit(gone.run, controller.signal)).rejects.toBe(reason);
  const last = limit(next.run);
  controller.abort(reason);
  await refused;
  await expect(limit(gone.run, controller.signal)).rejects.toBe(reason);
  first.end();
  next.end();
  await Promise.all([running, last]);
  expect(started).toEqual(["first", "next"]);
});
