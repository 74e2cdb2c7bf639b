import { readFileSync } from "node:fs";
import { RESOURCE_PATHS } from "@plimsoll/collect";
import { expect, test } from "vitest";
import { WATCHED_RESOURCES } from "./cluster-watch.ts";

test("the rights of deploy/rbac/agent.yaml are exactly those of what is watched, and none to write", () => {
  const manifest = readFileSync(new URL("../../../../deploy/rbac/agent.yaml", import.meta.url), "utf8");
  const rules = manifest.split("---")[0]?.split("- apiGroups:").slice(1) ?? [];
  const listed = rules.flatMap((rule) => {
    const [group = ""] = /\[([^\]]*)\]/.exec(rule)?.slice(1) ?? [];
    const [resources = ""] = /resources: \[([^\]]*)\]/.exec(rule)?.slice(1) ?? [];
    return resources.split(", ").map((resource) => `${group.replaceAll('"', "")}/${resource}`);
  });
  const watched = WATCHED_RESOURCES.map((resource) => {
    const [group = ""] = RESOURCE_PATHS[resource].apiVersion.split("/").slice(0, -1);
    return `${group}/${resource}`;
  });
  expect(listed.sort()).toEqual([...watched, "metrics.k8s.io/nodes", "metrics.k8s.io/pods"].sort());
  const verbs = [...manifest.matchAll(/verbs: \[([^\]]*)\]/g)].flatMap(([, list = ""]) => list.split(", "));
  expect(new Set(verbs)).toEqual(new Set(["list", "watch", "get"]));
});
