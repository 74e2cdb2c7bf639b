import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** For tests: whole objects as a cluster has them, small. */
export type Fixture = Record<string, unknown> & { kind: string; metadata: Record<string, unknown> };

/** Writes files (text or bytes by relative path) into a fresh folder that is removed after the test. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-dump-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

/** One file with this content, in a folder of its own. */
export function fileOf(name: string, content: string | Uint8Array): string {
  return join(folderOf({ [name]: content }), name);
}

export const pod = (namespace: string, name: string, more: Record<string, unknown> = {}): Fixture => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: meta(`pod-${namespace}-${name}`, { name, namespace, labels: { app: name } }),
  spec: {
    nodeName: "node-1",
    containers: [
      {
        name: "main",
        image: "registry.example/shop/cart:1.4.2",
        env: [{ name: "TOKEN", value: 'not "kept" {[' }],
        resources: { requests: { cpu: "250m", memory: "1Gi" } },
      },
    ],
  },
  status: { phase: "Running", startTime: "2026-03-01T08:00:00Z" },
  ...more,
});

export const node = (name: string): Fixture => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: meta(`node-${name}`, { name }),
  spec: { providerID: "aws:///eu-west-1a/i-0abc1234def567890" },
  status: {
    capacity: { cpu: "4", memory: "16Gi", pods: "58" },
    allocatable: { cpu: "3920m", memory: "15Gi", pods: "58" },
    conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "2026-03-02T10:00:00Z" }],
  },
});

export const namespace = (name: string, uid = `namespace-${name}`): Fixture => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: meta(uid, { name }),
  status: { phase: "Active" },
});

export const service = (space: string, name: string): Fixture => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: meta(`service-${space}-${name}`, { name, namespace: space }),
  spec: { type: "ClusterIP", clusterIP: "10.96.0.1" },
});

export const workload = (kind: string, apiVersion: string, space: string, name: string): Fixture => ({
  apiVersion,
  kind,
  metadata: meta(`${kind}-${space}-${name}`, { name, namespace: space }),
  spec: { replicas: 1 },
});

/** The smallest dump of the documented command: what is never empty in a cluster. */
export const SMALL_CLUSTER: readonly Fixture[] = [
  node("node-1"),
  namespace("kube-system"),
  namespace("shop"),
  pod("shop", "cart-1"),
  pod("shop", "cart-2"),
  service("default", "kubernetes"),
];

/** As kubectl prints a list: sorted keys, four blanks. */
export function kubectlList(objects: readonly unknown[]): string {
  const list = { apiVersion: "v1", items: objects, kind: "List", metadata: { resourceVersion: "" } };
  return `${JSON.stringify(list, null, 4)}\n`;
}

/** As an API server prints a list: the kind first, elements without one. */
export function typedList(
  kind: string,
  objects: readonly Fixture[],
  metadata: Record<string, unknown> = {},
  apiVersion = "v1",
): string {
  const items = objects.map(({ kind: _, apiVersion: __, ...fields }) => fields);
  return JSON.stringify({ kind, apiVersion, metadata, items });
}

function meta(uid: string, fields: Record<string, unknown>): Record<string, unknown> {
  return { uid, creationTimestamp: "2026-03-01T07:59:00Z", resourceVersion: "1", ...fields };
}
