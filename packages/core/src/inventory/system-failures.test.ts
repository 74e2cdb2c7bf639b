import { describe, expect, it } from "vitest";
import { indexOwners } from "../capacity/owners.ts";
import { sampleFacts, samplePod } from "../report/sample-facts.ts";
import { systemFailures } from "./system-failures.ts";

const OWNERS = indexOwners(sampleFacts().objects);
const waiting = (reason: string) => ({ containerStatuses: [{ name: "main", state: { waiting: { reason } } }] });
const owners = [{ kind: "DaemonSet", name: "proxy", uid: "proxy", controller: true }];

function pod(name: string, reason: string, namespace = "kube-system", phase = "Running") {
  return samplePod(name, { namespace, node: "a", owners, status: { phase, ...waiting(reason) } });
}

describe("failing system components", () => {
  it("are counted per workload, with their reason", () => {
    const pods = [pod("p1", "CrashLoopBackOff"), pod("p2", "CrashLoopBackOff"), pod("p3", "ContainerCreating")];
    expect(systemFailures(pods, OWNERS)).toEqual([
      { object: "DaemonSet/kube-system/proxy", reason: "CrashLoopBackOff", pods: 2 },
    ]);
  });

  it("are those of kube-system that have not ended", () => {
    const pods = [pod("p1", "CrashLoopBackOff", "shop"), pod("p2", "ErrImagePull", "kube-system", "Failed")];
    expect(systemFailures(pods, OWNERS)).toEqual([]);
  });
});
