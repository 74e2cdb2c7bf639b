import type { Release } from "../fleet/cloud-profile.ts";
import type { KubeJson } from "../objects/kube-json.ts";

/** What /version answers. Says in two fields that no reader evaluates that the cluster is a simulated one. */
export function versionDocument({ server }: Release): KubeJson {
  const [, major = "1", minor = "0", rest = ""] = /^v(\d+)\.(\d+)\.\d+(.*)$/.exec(server) ?? [];
  return {
    major,
    // Vendors who patch the release mark it so.
    minor: rest === "" ? minor : `${minor}+`,
    gitVersion: server,
    gitCommit: "0000000000000000000000000000000000000000",
    gitTreeState: "simulated",
    buildDate: "2025-08-01T00:00:00Z",
    goVersion: "go1.24.5",
    compiler: "gc",
    platform: "linux/amd64",
    simulated: "plimsoll.dev",
  };
}
