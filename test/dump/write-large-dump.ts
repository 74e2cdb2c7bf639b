import { closeSync, openSync, writeSync } from "node:fs";

const PODS_PER_WRITE = 100;

/** What was written: the truth that a reader must find again. */
export interface LargeDump {
  readonly bytes: number;
  readonly pods: number;
  readonly events: number;
}

/**
 * Writes a dump of at least `bytes` bytes as `kubectl get nodes,namespaces,pods,services,events -A -o json` would: pods of
 * some 10 KB each (environment, managed fields, probes), one event for every ten pods.
 */
export function writeLargeDump(path: string, bytes: number): LargeDump {
  const file = openSync(path, "w");
  let written = 0;
  let pods = 0;
  let events = 0;
  const write = (text: string) => {
    written += writeSync(file, text);
  };
  try {
    write('{\n    "apiVersion": "v1",\n    "items": [\n');
    write([node(), namespace("kube-system"), namespace("shop"), service()].map(indented).join(",\n"));
    while (written < bytes) {
      const batch: string[] = [];
      for (let i = 0; i < PODS_PER_WRITE; i += 1) {
        batch.push(POD.replaceAll("@N", String(pods)));
        pods += 1;
        if (pods % 10 === 0) {
          batch.push(EVENT.replaceAll("@N", String(events)));
          events += 1;
        }
      }
      write(`,\n${batch.join(",\n")}`);
    }
    write('\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n');
  } finally {
    closeSync(file);
  }
  return { bytes: written, pods, events };
}

function indented(object: unknown): string {
  return JSON.stringify(object, null, 4).replace(/^/gm, "        ");
}

function meta(name: string, more: object = {}): object {
  return { creationTimestamp: "2026-03-01T08:00:00Z", name, uid: `uid-${name}`, ...more };
}

function node(): object {
  const size = { cpu: "64", memory: "256Gi", pods: "250" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: meta("node-1"),
    spec: {},
    status: { allocatable: size, capacity: size },
  };
}

function namespace(name: string): object {
  return { apiVersion: "v1", kind: "Namespace", metadata: meta(name) };
}

function service(): object {
  return { apiVersion: "v1", kind: "Service", metadata: meta("kubernetes", { namespace: "default" }), spec: {} };
}

const CONDITION = { lastProbeTime: null, lastTransitionTime: "2026-03-01T08:00:05Z", status: "True" };

const POD = indented({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    annotations: { note: 'a "quoted" text with \\ and { [ and ünï 漢字 '.repeat(8) },
    creationTimestamp: "2026-03-01T08:00:00Z",
    labels: { "app.kubernetes.io/name": "cart", "pod-template-hash": "6d4b75cb6d" },
    managedFields: Array.from({ length: 3 }, (_, i) => ({
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:status": Object.fromEntries(
          Array.from({ length: 12 }, (_, k) => [`k:{"type":"T${i}${k}"}`, { ".": {}, "f:status": {} }]),
        ),
      },
      manager: "kubelet",
      operation: "Update",
    })),
    name: "cart-6d4b75cb6d-@N",
    namespace: "shop",
    ownerReferences: [
      { apiVersion: "apps/v1", controller: true, kind: "ReplicaSet", name: "cart-6d4b75cb6d", uid: "rs-1" },
    ],
    resourceVersion: "@N",
    uid: "00000000-0000-4000-8000-@N",
  },
  spec: {
    containers: [
      {
        env: Array.from({ length: 24 }, (_, i) => ({ name: `SETTING_${i}`, value: `a value of setting ${i}` })),
        image: "registry.shop.example/cart:1.4.2",
        livenessProbe: { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 10 },
        name: "cart",
        resources: { limits: { memory: "1Gi" }, requests: { cpu: "250m", memory: "512Mi" } },
      },
    ],
    nodeName: "node-1",
  },
  status: {
    conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({ ...CONDITION, type })),
    containerStatuses: [
      { name: "cart", ready: true, restartCount: 0, state: { running: { startedAt: "2026-03-01T08:00:04Z" } } },
    ],
    phase: "Running",
    startTime: "2026-03-01T08:00:01Z",
  },
});

const EVENT = indented({
  apiVersion: "v1",
  kind: "Event",
  message: "Pulled image in 1.2 s",
  metadata: { name: "cart.@N", namespace: "shop", uid: "e-@N" },
  reason: "Pulled",
});
