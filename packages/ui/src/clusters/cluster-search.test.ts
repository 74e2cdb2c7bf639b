import { describe, expect, it } from "vitest";
import { clustersPath } from "../api/cluster-filter.ts";
import { parseSearch, stringifySearch } from "../app/search-text.ts";
import {
  columnsText,
  filterOf,
  isNarrowed,
  nextSort,
  parseClusterSearch,
  shownColumns,
  withChange,
} from "./cluster-search.ts";

describe("the clusters view in the URL", () => {
  it.each([
    "?q=eu&scope=env=prod&conn=late,offline&type=EKS&ver=1.33&sort=-cost&cols=name,cpu,cost&rows=100&page=3&at=abc",
    "?health=degraded",
    "",
  ])("%s comes back unchanged", (text) => {
    expect(stringifySearch({ ...parseClusterSearch(parseSearch(text)) })).toBe(text);
  });

  it("what is not understood has its default", () => {
    expect(parseClusterSearch({ sort: "colour", cols: "x,y", rows: "7", page: "0", at: "abc" })).toEqual({});
  });

  it("a page without its cursor is the first page", () => {
    expect(parseClusterSearch({ page: "4" })).toEqual({});
  });

  it("asks the hub by the API's names, and sends nothing that is not set", () => {
    const search = parseClusterSearch(parseSearch("?q=eu&scope=env=prod&conn=late&ver=1.33&sort=-cost"));
    expect(clustersPath(filterOf(search))).toBe(
      "/api/v1/clusters?search=eu&selector=env%3Dprod&connectivity=late&version=1.33&sort=-cost&limit=50",
    );
    expect(clustersPath(filterOf({}))).toBe("/api/v1/clusters?limit=50");
  });

  it("a change of filter starts at the first page and keeps the rest", () => {
    expect(withChange({ sort: "name", page: 3, at: "abc", q: "x" }, { q: undefined, type: "EKS" })).toEqual({
      sort: "name",
      type: "EKS",
    });
  });

  it("knows whether the list is narrowed", () => {
    expect(isNarrowed({ sort: "name", cols: "name" })).toBe(false);
    expect(isNarrowed({ scope: "env=prod" })).toBe(true);
  });

  it.each([
    [undefined, "cost", "-cost"],
    ["-cost", "cost", "cost"],
    ["cost", "cost", undefined],
    ["-cost", "name", "name"],
    ["name", "name", "-name"],
  ] as const)("sorted by %s, choosing %s sorts by %s", (current, column, next) => {
    expect(nextSort(current, column)).toBe(next);
  });

  it("the name's column is always shown, all columns are the default", () => {
    expect([...shownColumns({ cols: "cost" })]).toEqual(["name", "cost"]);
    expect(columnsText(shownColumns({}))).toBeUndefined();
  });
});
