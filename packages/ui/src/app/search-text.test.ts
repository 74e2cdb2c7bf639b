import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "./search-text.ts";

describe("the URL's state", () => {
  it("stays readable", () => {
    expect(
      stringifySearch({ q: "eu west", scope: "env=prod,team in (a,b)", type: "EKS,GKE", page: 2, at: undefined }),
    ).toBe("?q=eu+west&scope=env=prod,team+in+(a,b)&type=EKS,GKE&page=2");
  });

  it("comes back as it was written, whatever is in it", () => {
    const values = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(values, (written) => {
        const read = parseSearch(stringifySearch(written));
        expect(Object.entries(read).sort()).toEqual(Object.entries(written).sort());
      }),
    );
  });
});
