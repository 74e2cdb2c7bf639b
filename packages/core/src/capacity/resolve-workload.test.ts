import type { KubeWorkload, OwnerReference } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { forbidden, sampleFacts, samplePod } from "../report/sample-facts.ts";
import { indexOwners } from "./owners.ts";
import { resolveWorkload } from "./resolve-workload.ts";

function workload(kind: string, name: string, owner?: OwnerReference, labels?: Record<string, string>): KubeWorkload {
  const metadata = { name, namespace: "shop", uid: `uid-${kind}-${name}`, labels, ownerReferences: owner && [owner] };
  return { kind, metadata };
}

function owner(kind: string, name: string): OwnerReference {
  return { kind, name, uid: `uid-${kind}-${name}`, controller: true };
}

const OWNERS = indexOwners(
  sampleFacts({
    objects: {
      deployments: [workload("Deployment", "cart", undefined, { "owner-team": "web" }), workload("Deployment", "shy")],
      replicasets: [
        workload("ReplicaSet", "cart-7d9f", owner("Deployment", "cart")),
        workload("ReplicaSet", "pay-5c6b", owner("Rollout", "pay"), { "owner-team": "pay" }),
        workload("ReplicaSet", "shy-6f5d", owner("Deployment", "shy"), { "owner-team": "left from a template" }),
        workload("ReplicaSet", "bare-rs"),
      ],
      jobs: [workload("Job", "report-28901", owner("CronJob", "report")), workload("Job", "migrate")],
      cronjobs: [workload("CronJob", "report")],
    },
  }).objects,
);

describe("the workload of a pod", () => {
  it.each([
    ["ReplicaSet", "cart-7d9f", "Deployment", "cart"],
    ["ReplicaSet", "pay-5c6b", "Rollout", "pay"],
    ["ReplicaSet", "bare-rs", "ReplicaSet", "bare-rs"],
    ["ReplicaSet", "unread-66b", "ReplicaSet", "unread-66b"],
    ["Job", "report-28901", "CronJob", "report"],
    ["Job", "migrate", "Job", "migrate"],
    ["StatefulSet", "db", "StatefulSet", "db"],
    ["DaemonSet", "log", "DaemonSet", "log"],
    ["Node", "cp-1", "Node", "cp-1"],
    ["Workflow", "etl", "Workflow", "etl"],
  ])("owned by %s %s is %s %s", (ownerKind, ownerName, kind, name) => {
    const pod = samplePod("p", { owners: [owner(ownerKind, ownerName)] });
    expect(resolveWorkload(pod, OWNERS)).toMatchObject({ namespace: "shop", kind, name });
  });

  it("without an owner is the pod", () => {
    expect(resolveWorkload(samplePod("lonely"), OWNERS)).toMatchObject({ kind: "Pod", name: "lonely" });
  });

  it("is its controller, not just any owner", () => {
    const owners = [{ kind: "ConfigMap", name: "x", uid: "x" }, owner("ReplicaSet", "cart-7d9f")];
    expect(resolveWorkload(samplePod("p", { owners }), OWNERS)).toMatchObject({ kind: "Deployment", name: "cart" });
  });

  it("is found by name where a reference has no UID", () => {
    const owners = [{ kind: "ReplicaSet", name: "cart-7d9f" }];
    expect(resolveWorkload(samplePod("p", { owners }), OWNERS)).toMatchObject({ kind: "Deployment", name: "cart" });
  });

  it("is not another object of the same kind and name", () => {
    const owners = [{ kind: "Job", name: "report-28901", uid: "uid-of-a-volcano-job", controller: true }];
    expect(resolveWorkload(samplePod("p", { owners }), OWNERS)).toMatchObject({ kind: "Job", name: "report-28901" });
  });

  it("is its immediate owner when the kinds above could not be read", () => {
    const unread = forbidden("replicasets");
    const none = indexOwners(sampleFacts({ objects: { replicasets: unread, deployments: unread } }).objects);
    const pod = samplePod("p", { owners: [owner("ReplicaSet", "cart-7d9f")] });
    expect(resolveWorkload(pod, none)).toMatchObject({ kind: "ReplicaSet", name: "cart-7d9f", labels: undefined });
  });

  it("has the labels of the top object, or of the one below where only that was read", () => {
    const labelsOf = (name: string) =>
      resolveWorkload(samplePod("p", { owners: [owner("ReplicaSet", name)] }), OWNERS).labels;
    expect(labelsOf("cart-7d9f")).toEqual({ "owner-team": "web" });
    expect(labelsOf("pay-5c6b")).toEqual({ "owner-team": "pay" });
    expect(labelsOf("shy-6f5d")).toBeUndefined();
  });
});
