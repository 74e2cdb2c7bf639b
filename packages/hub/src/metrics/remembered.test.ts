import { expect, test } from "vitest";
import { Remembered } from "./remembered.ts";

test("many who ask within some seconds share one reading; a failed one is tried again at once", async () => {
  let nowMs = 1_000;
  let readings = 0;
  let isBroken = false;
  const figure = new Remembered(
    () => nowMs,
    async () => {
      readings += 1;
      if (isBroken) throw new Error("gone");
      return readings;
    },
  );
  expect(await Promise.all([figure.value(), figure.value()])).toEqual([1, 1]);
  nowMs += 4_999;
  expect(await figure.value()).toBe(1);
  nowMs += 1;
  expect(await figure.value()).toBe(2);
  nowMs -= 60_000;
  expect(await figure.value()).toBe(3);
  isBroken = true;
  nowMs += 10_000;
  await expect(figure.value()).rejects.toThrow("gone");
  isBroken = false;
  expect(await figure.value()).toBe(5);
});
