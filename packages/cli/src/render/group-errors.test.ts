import { type ClusterError, PlimsollError, reportError } from "@plimsoll/contracts";
import { expect, test } from "vitest";
import { groupErrors } from "./group-errors.ts";
import { renderHtml } from "./html/page.ts";
import { sampleReport } from "./sample-report.ts";
import { errorNotes } from "./table/table-notes.ts";

function forbidden(resource: string, cluster = "prod"): ClusterError {
  return { cluster, ...reportError(new PlimsollError("cluster_forbidden", { resource, context: "prod" })) };
}

function unusable(where: string, reason: string): ClusterError {
  return { cluster: "prod", ...reportError(new PlimsollError("object_unusable", { where, reason })) };
}

const texts = (errors: readonly ClusterError[]) => groupErrors(errors).map(({ message }) => message);

test("errors of one cluster and code are one, which lists what they differ in and has one remedy", () => {
  expect(groupErrors([forbidden("nodes"), forbidden("pods"), forbidden("jobs")])).toEqual([
    {
      cluster: "prod",
      code: "cluster_forbidden",
      message: "No right to list nodes, pods, jobs in context prod",
      remedy:
        "Grant the read rights in deploy/rbac/scan.yaml; until then figures that need nodes, pods, jobs are unknown",
    },
  ]);
});

test("errors of another cluster or code stay their own, in the order met", () => {
  const errors = [forbidden("nodes"), unusable("pods shop/a", "it is a text"), forbidden("nodes", "lab")];
  expect(groupErrors(errors)).toEqual(errors);
});

test("objects with the same fault are listed, those with others are told one by one", () => {
  const [a, b] = [unusable("pods shop/a", "spec is missing"), unusable("pods shop/b", "spec is missing")];
  expect(texts([a, b])).toEqual(["pods shop/a, shop/b: spec is missing"]);
  expect(texts([a, unusable("nodes n1", "status is a text")])).toEqual([
    "pods shop/a: spec is missing; nodes n1: status is a text",
  ]);
});

test("of many the first are named and the others counted", () => {
  const many = Array.from({ length: 21 }, (_, at) => unusable(`pods shop/p-${at}`, "spec is missing"));
  expect(texts(many)).toEqual([expect.stringMatching(/^pods shop\/p-0, .*, shop\/p-14 and 6 more: spec is missing$/)]);
});

test("those that the report only counts are not counted as one more", () => {
  const errors = [unusable("pods shop/a", "spec is missing"), unusable("pods shop/b", "spec is missing")];
  const counted = unusable("4980 more", "the same as those named above (object_unusable)");
  expect(texts([...errors, counted])).toEqual(["pods shop/a, shop/b: spec is missing", counted.message]);
});

test("a command in a remedy can be copied with all of them", () => {
  const missing = (resource: string) => {
    const error = reportError(new PlimsollError("dump_kind_missing", { path: "lab", resource }));
    return { cluster: "lab", ...error };
  };
  const [error] = groupErrors([missing("jobs"), missing("cronjobs")]);
  expect(error?.message).toBe("lab does not say whether the cluster has jobs, cronjobs");
  expect(error?.remedy).toContain("kubectl get jobs,cronjobs -A -o json > jobs,cronjobs.json");
});

test("the table and the page show them so; the report itself keeps each", () => {
  const report = { ...sampleReport(), errors: [forbidden("nodes"), forbidden("pods")] };
  expect(errorNotes(report)).toHaveLength(1);
  expect(renderHtml(report)).toContain("No right to list nodes, pods in context prod");
});
