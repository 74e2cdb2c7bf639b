import { PlimsollError } from "@plimsoll/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { YamlSplitter } from "./yaml-splitter.ts";

interface Heard {
  readonly starts: unknown[];
  readonly items: unknown[];
  readonly documents: unknown[];
  readonly arrays: number[];
}

function split(text: string, pieceBytes = 4096, limitBytes = 1024 * 1024): Heard {
  const heard: Heard = { starts: [], items: [], documents: [], arrays: [] };
  const splitter = new YamlSplitter(
    "dump.yaml",
    {
      listStart: (header) => heard.starts.push(header),
      item: (parse) => heard.items.push(parse()),
      documentEnd: (header) => heard.documents.push(header),
      arrayEnd: (documents) => heard.arrays.push(documents),
    },
    limitBytes,
  );
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += pieceBytes) splitter.push(bytes.subarray(i, i + pieceBytes));
  splitter.end();
  return heard;
}

function faultOf(text: string, limitBytes?: number): PlimsollError {
  try {
    split(text, 7, limitBytes);
  } catch (error) {
    if (error instanceof PlimsollError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const KUBECTL_LIST = `apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      script: |
        - not an element
        items:

        # no comment
    name: a
- apiVersion: v1
  kind: Pod
  metadata:
    name: b
kind: List
metadata:
  resourceVersion: ""
`;

describe("YamlSplitter", () => {
  it("gives each element of a kubectl list by itself", () => {
    for (const text of [KUBECTL_LIST, KUBECTL_LIST.replaceAll("\n", "\r\n"), `---\n${KUBECTL_LIST}`]) {
      const heard = split(text, 5);
      const script = "- not an element\nitems:\n\n# no comment\n";
      expect(heard.items).toEqual([
        { apiVersion: "v1", kind: "Pod", metadata: { annotations: { script }, name: "a" } },
        { apiVersion: "v1", kind: "Pod", metadata: { name: "b" } },
      ]);
      expect(heard.starts).toEqual([{ apiVersion: "v1", items: [] }]);
      expect(heard.documents).toEqual([
        { apiVersion: "v1", items: [], kind: "List", metadata: { resourceVersion: "" } },
      ]);
    }
  });

  it.each([
    ["one object", "kind: Pod\nmetadata: {name: a}\n", [{ kind: "Pod", metadata: { name: "a" } }]],
    [
      "several documents",
      "# first\n---\nkind: A\n---\nkind: B\n...\n--- # third\nkind: C",
      [{ kind: "A" }, { kind: "B" }, { kind: "C" }],
    ],
    ["a directive", "%YAML 1.2\n---\nkind: A\n", [{ kind: "A" }]],
    ["a flow mapping behind a marker", "--- {kind: A}\n", [{ kind: "A" }]],
    ["a top-level sequence", "- kind: A\n- kind: B\n  x: 1\n", [{ kind: "A" }, { kind: "B", x: 1 }]],
    ["empty items", "items: []\nkind: List\n", [{ items: [], kind: "List" }]],
    ["items without a value", "items:\nkind: List\n", [{ items: null, kind: "List" }]],
    ["flow items", "kind: List\nitems: [{kind: A}]\n", [{ kind: "List", items: [{ kind: "A" }] }]],
    [
      "plain words as texts",
      "a: yes\nb: 0x1f\nc: 2026-01-01T00:00:00Z\n",
      [{ a: "yes", b: 31, c: "2026-01-01T00:00:00Z" }],
    ],
  ])("reads %s", (_, text, documents) => {
    expect(split(text, 3).documents).toEqual(documents);
  });

  it("reads indented elements, and what stands behind them", () => {
    const heard = split(
      "kind: PodList\nitems:\n  - a: 1\n    b:\n      - 2\n  -\n    a: 3\nmetadata:\n  continue: x\n",
      3,
    );
    expect(heard.items).toEqual([{ a: 1, b: [2] }, { a: 3 }]);
    expect(heard.documents).toEqual([{ kind: "PodList", items: [], metadata: { continue: "x" } }]);
  });

  it("reads the same as a parser that has the whole text", () => {
    const text = fc.string({
      unit: fc.constantFrom("-", " ", "#", ":", "\n", "a", "'", '"', "items:", "\n- ", "|", "é"),
    });
    const value = fc.dictionary(fc.constantFrom("a", "b", "items"), fc.oneof(text, fc.array(text), fc.integer()));
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 50 }),
        (items, pieceBytes) => {
          const text = stringify({ items, kind: "List" });
          expect(split(text, pieceBytes).items).toEqual(parse(text).items);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ["behind a whole element", KUBECTL_LIST.slice(0, KUBECTL_LIST.indexOf("kind: List")), "its list, at items[1]"],
    ["inside an element", KUBECTL_LIST.slice(0, KUBECTL_LIST.indexOf("    name: b")), "its list, at items[1]"],
  ])("calls a list cut when its kind never comes: %s", (_, text, where) => {
    expect(faultOf(text)).toMatchObject({ code: "dump_truncated", fields: { path: "dump.yaml", where } });
  });

  it("says where it is no YAML, and never quotes it", () => {
    const error = faultOf('kind: Secret\ndata:\n  a: "s3cret\n---\nkind: B\n');
    expect(error).toMatchObject({ code: "dump_syntax", fields: { path: "dump.yaml" } });
    expect(error.message).toContain("line 4");
    expect(error.message).not.toContain("s3cret");
  });

  it("refuses one part over the limit, but not many small ones", () => {
    const many = `items:\n${"- a: 0123456789\n".repeat(500)}kind: List\n`;
    expect(split(many, 64, 100).items).toHaveLength(500);
    expect(faultOf(`items:\n- a: 1\n- a: ${"x".repeat(200)}\n`, 100)).toMatchObject({ code: "dump_too_large" });
    expect(faultOf(`a: ${"x".repeat(200)}\n`, 100)).toMatchObject({ code: "dump_too_large" });
    expect(faultOf(`a: ${"x".repeat(200)}`, 100)).toMatchObject({ code: "dump_too_large" });
  });

  it("is not blown up by aliases of aliases", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((key, i) => `${key}: &${key} [${`*${"abcdefg"[i]},`.repeat(9)}]`)
      .join("\n")}\n`;
    expect(faultOf(bomb).code).toBe("dump_syntax");
  });
});
