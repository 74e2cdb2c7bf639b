import { describe, expect, it } from "vitest";
import { retentionOption } from "./retention-option.ts";

const DAY_MS = 86_400_000;

describe("--retention", () => {
  it("takes days by kind", () => {
    expect(retentionOption("usage=35d, sample=1d")).toEqual({ usage: 35 * DAY_MS, sample: DAY_MS });
  });

  it.each(["", "usage", "usage=35", "usage=0d", "usage=99999d", "pods=3d", "usage=3d,usage=4d", "usage=3d,"])(
    'refuses "%s" with what it takes',
    (text) => {
      expect(() => retentionOption(text)).toThrow(expect.objectContaining({ code: "option_invalid" }));
      expect(() => retentionOption(text)).toThrow(/usage=35d,sample=15d/);
    },
  );
});
