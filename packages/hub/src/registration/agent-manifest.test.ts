import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { agentManifest } from "./agent-manifest.ts";

const FACTS = { hubUrl: "https://hub.example", token: "plj1.x.y", clusterName: "prod-eu", image: "plimsoll:0.1.0" };

interface Role {
  readonly kind: string;
  readonly rules: readonly { readonly resources?: readonly string[]; readonly verbs: readonly string[] }[];
}

/** Right by right, "verb group/resource", sorted. */
function rightsOf(yaml: string): string[] {
  const role = parseAllDocuments(yaml)
    .map((document): Role => document.toJS())
    .find(({ kind }) => kind === "ClusterRole");
  return (role?.rules ?? [])
    .flatMap((rule) => {
      const groups: readonly string[] = Reflect.get(rule, "apiGroups") ?? [];
      return groups.flatMap((group) =>
        (rule.resources ?? []).flatMap((resource) => rule.verbs.map((verb) => `${verb} ${group}/${resource}`)),
      );
    })
    .sort();
}

it("grants what deploy/rbac/agent.yaml lists, and nothing else", () => {
  const listed = readFileSync(new URL("../../../../deploy/rbac/agent.yaml", import.meta.url), "utf8");
  expect(rightsOf(agentManifest(FACTS))).toEqual(rightsOf(listed));
  expect(rightsOf(listed).length).toBeGreaterThan(10);
});

it("never grants to run anything, to write, or to read a secret", () => {
  const rights = rightsOf(agentManifest(FACTS)).join("\n");
  expect(rights).not.toMatch(/proxy|secrets|configmaps|create|update|patch|delete/);
});
