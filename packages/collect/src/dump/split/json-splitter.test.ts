import { PlimsollError } from "@plimsoll/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonSplitter } from "./json-splitter.ts";

interface Heard {
  readonly starts: unknown[];
  readonly items: unknown[];
  readonly documents: { header: unknown; isList: boolean; at: string }[];
  readonly arrays: number[];
}

function split(text: string | Uint8Array, pieceBytes = 1024, limitBytes = 1024 * 1024): Heard {
  const heard: Heard = { starts: [], items: [], documents: [], arrays: [] };
  const splitter = new JsonSplitter(
    "dump.json",
    {
      listStart: (header) => heard.starts.push(header),
      item: (parse, at) => heard.items.push({ at, value: parse() }),
      documentEnd: (header, isList, at) => heard.documents.push({ header, isList, at }),
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

describe("JsonSplitter", () => {
  it("gives each element of items by itself and the list's fields without them", () => {
    const heard = split(
      '{"kind":"PodList","apiVersion":"v1","items":[{"a":1},{"a":[{}]}],"metadata":{"continue":"x"}}',
    );
    expect(heard.starts).toEqual([{ kind: "PodList", apiVersion: "v1", items: [] }]);
    expect(heard.items).toEqual([
      { at: "items[0]", value: { a: 1 } },
      { at: "items[1]", value: { a: [{}] } },
    ]);
    expect(heard.documents).toEqual([
      {
        header: { kind: "PodList", apiVersion: "v1", items: [], metadata: { continue: "x" } },
        isList: true,
        at: "object 1",
      },
    ]);
  });

  it.each([
    ["a single object", '{"kind":"Pod"}', [{ kind: "Pod" }], []],
    ["JSON Lines", '{"a":1}\n{"a":2}\r\n{"a":3}', [{ a: 1 }, { a: 2 }, { a: 3 }], []],
    ["a JSON text sequence", '\x1e{"a":1}\n\x1e{"a":2}\n', [{ a: 1 }, { a: 2 }], []],
    ["a bare array", ' [ {"a":1} , {"a":2} ] ', [{ a: 1 }, { a: 2 }], [2]],
    ["an empty array", "[]", [], [0]],
    ["several arrays", '[{"a":1}][]', [{ a: 1 }], [1, 0]],
    [
      "items that is no array",
      '{"items":null}{"items":{"items":[1]}}',
      [{ items: null }, { items: { items: [1] } }],
      [],
    ],
    ["a nested items array", '{"spec":{"items":[{"a":1}]}}', [{ spec: { items: [{ a: 1 }] } }], []],
    [
      "keys that only resemble it",
      '{"itemsX":[1],"item":[2],"\\"items":[3]}',
      [{ itemsX: [1], item: [2], '"items': [3] }],
      [],
    ],
    ["scalars", '{"a":-1.5e3,"b":true,"c":null,"d":"x,}"}', [{ a: -1500, b: true, c: null, d: "x,}" }], []],
    [
      "an array of anything else",
      '["a,]", 1, [{}], null, {"a":1}, true]',
      [undefined, undefined, undefined, undefined, { a: 1 }, undefined],
      [6],
    ],
  ])("reads %s", (_, text, documents, arrays) => {
    for (const pieceBytes of [1, 2, 1024]) {
      const heard = split(text, pieceBytes);
      expect(heard.documents.map((document) => document.header)).toEqual(documents);
      expect(heard.arrays).toEqual(arrays);
    }
  });

  it("finds the same objects wherever the pieces are cut", () => {
    const text = fc.string({
      unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "é", "漢", "😀", "a", "\n"),
    });
    const objects = fc.array(fc.dictionary(fc.oneof(text, fc.constant("items")), fc.jsonValue()), { maxLength: 6 });
    fc.assert(
      fc.property(objects, text, fc.integer({ min: 1, max: 40 }), fc.boolean(), (items, note, pieceBytes, pretty) => {
        const header = { note, nested: { items }, kind: "List" };
        const heard = split(JSON.stringify({ items, ...header }, null, pretty ? 2 : 0), pieceBytes);
        expect(heard.items.map((item) => item)).toEqual(
          items.map((value, i) => ({ at: `items[${i}]`, value: plain(value) })),
        );
        expect(heard.documents.map((document) => document.header)).toEqual([plain({ items: [], ...header })]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['{"items":[{"kind":"Pod","metadata":{"name":"a","namespace":"shop"},"spec":{"x', "items[0] (Pod shop/a)"],
    ['{"items":[{"a":1},{"metadata":{"labels":{"name":"no"},"na', "items[1]"],
    ['{"items":[{"a":1}', "items[1]"],
    ['{"kind":"Node","metadata":{"name":"n1","uid":"1"},"spec"', "object 1 (Node n1)"],
    ['[{"a":1},{"b":2}', "the array, after 2 elements"],
    ['{"a":1}\n{"a":"\\', "object 2"],
  ])("says in what %j was cut", (text, where) => {
    expect(faultOf(text)).toMatchObject({ code: "dump_truncated", fields: { path: "dump.json", where } });
  });

  it("names a whole-text cut at every position an error", () => {
    const text = '{"kind":"List","items":[{"a":"x\\"y"},{"b":[1,{}]}],"metadata":{}}';
    for (let length = 1; length < text.length; length += 1) {
      expect(faultOf(text.slice(0, length)).code).toBe("dump_truncated");
    }
  });

  it.each([
    ['{"items":[{"a":}]}', 16, "not valid JSON"],
    ['{"items":[1]}', 11, "no object"],
    ['{"a" 1}', 6, "colon"],
    ["{1:2}", 2, "no field"],
    ['{"a":1} then text', 9, "no JSON object"],
    ['{"password":"s3cret" "x":1}', 27, "not valid JSON"],
  ])("says where %s is no JSON, and never quotes it", (text, byte, reason) => {
    const error = faultOf(text);
    expect(error).toMatchObject({ code: "dump_syntax", fields: { path: "dump.json" } });
    expect(error.fields.where).toMatch(new RegExp(`^byte ${byte} `));
    expect(error.fields.reason).toContain(reason);
    expect(error.message).not.toContain("s3cret");
  });

  it("refuses one object over the limit, but not a list of many small ones", () => {
    const many = `{"items":[${Array.from({ length: 500 }, () => '{"a":"0123456789"}').join(",")}]}`;
    expect(split(many, 64, 100).items).toHaveLength(500);
    const error = faultOf(`{"items":[{"a":1},{"a":"${"x".repeat(200)}"}]}`, 100);
    expect(error).toMatchObject({ code: "dump_too_large", fields: { limit: "100 bytes" } });
    expect(error.message).toContain("items[1]");
    expect(faultOf(`{"a":"${"x".repeat(200)}"}`, 100).code).toBe("dump_too_large");
  });
});

/** What JSON makes of a value (an own __proto__ key, -0). */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
