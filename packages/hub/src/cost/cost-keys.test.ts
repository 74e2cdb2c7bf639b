import { describe, expect, it } from "vitest";
import { groupName, parseCostKeys } from "./cost-keys.ts";

describe("the keys of an aggregate", () => {
  it("are fields and labels, each once", () => {
    expect(parseCostKeys("cluster, label:example.com/tier,cluster")).toEqual([
      { name: "cluster", key: { field: "cluster" } },
      { name: "label:example.com/tier", key: { label: "example.com/tier" } },
    ]);
  });

  it.each([
    "",
    "cluster,",
    "tenant",
    "toString",
    "label:",
    "label:a b",
    "label:'; drop",
    "label:$.x",
    "label:UPPER/x",
    "cluster,node,namespace,workload,env,owner-team",
  ])("are refused by name: %s", (aggregate) => {
    expect(() => parseCostKeys(aggregate)).toThrow(
      expect.objectContaining({ code: "parameter_invalid", fields: expect.objectContaining({ field: "aggregate" }) }),
    );
  });

  it.each([
    ["namespace", "shop", "workload", "shop"],
    ["owner-team", null, "workload", "__unallocated__"],
    ["label:tier", null, "workload", "__unallocated__"],
    ["namespace", null, "idle", "__idle__"],
    ["label:tier", null, "system", "__system__"],
    ["cluster", "c-1", "idle", "c-1"],
    ["node", "node-a", "system", "node-a"],
    ["zone", null, "idle", "__unallocated__"],
  ])("name a group: %s %s of a %s row is %s", (name, value, kind, expected) => {
    const [key] = parseCostKeys(name);
    expect(key && groupName(key, value, kind)).toBe(expected);
  });
});
