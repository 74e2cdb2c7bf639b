import type { ClusterReport, Finding } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { sampleInventory } from "./sample-report.ts";
import { clusterFindings, findingSubject, groupFindings, othersText } from "./top-findings.ts";

function finding(code: string, severity: Finding["severity"], object: string, message = "is odd"): Finding {
  return { code, severity, object, message, remedy: "look" };
}

function cluster(name: string, findings: readonly Finding[]): ClusterReport {
  const inventory = sampleInventory({ cluster_name: name });
  return { inventory, capacity: null, workloads: null, cost: null, findings, unused: [] };
}

describe("findings of a fleet", () => {
  const down = (node: string) => finding("node_not_ready", "warning", `Node/${node}`);
  const clusters = [
    cluster("a", [finding("label_missing", "info", "Cluster/a"), down("n1"), down("n2")]),
    cluster("b", [down("n1"), finding("full", "critical", "Cluster/b")]),
    cluster("c", [down("n9")]),
  ];

  test("are told once per kind, worst first, with how many and where", () => {
    const groups = groupFindings({ clusters });
    expect(groups.map(({ first, cluster: name, count }) => [first.code, name, count])).toEqual([
      ["full", "b", 1],
      ["node_not_ready", "a", 4],
      ["label_missing", "a", 1],
    ]);
    expect(groups.map(othersText)).toEqual(["", "and 3 more, also in b, c", ""]);
  });

  test("name no more than three other clusters", () => {
    const many = Array.from({ length: 9 }, (_, index) => cluster(`c${index}`, [down("n")]));
    expect(groupFindings({ clusters: many }).map(othersText)).toEqual(["and 8 more, in 9 clusters"]);
  });
});

test("what is said of a cluster as a whole is never folded into one", () => {
  const labels = ["env", "team"].map((key) => finding("label_missing", "info", "Cluster/a", `no ${key}`));
  expect(clusterFindings(cluster("a", labels)).map(({ first }) => first.message)).toEqual(["no env", "no team"]);
});

test.each([
  ["Node/n1", "is full", "a: Node/n1"],
  ["Node/n1", "node n1 is full", "a"],
  ["Cluster/a", "is full", "a"],
])("the subject of %s that %s is %s", (object, message, subject) => {
  const [group] = groupFindings({ clusters: [cluster("a", [finding("x", "info", object, message)])] });
  expect(group && findingSubject(group)).toBe(subject);
});
