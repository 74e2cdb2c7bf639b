import type { KubeNode, KubePod, Usage } from "@plimsoll/contracts";
import type { NodeRow, UsageIntegrals, UsageRow } from "@plimsoll/contracts/wire";
import type { PodAttribution } from "./pod-attribution.ts";
import type { MeterFlush } from "./usage-meter.ts";

/** Seconds on the clock of a test; 0 is twenty minutes to nine. */
const ZERO_MS = Date.UTC(2026, 0, 31, 8, 40);

/** A second of the test's clock in milliseconds since 1970. */
export const ms = (second: number): number => ZERO_MS + second * 1_000;

/** A second of the test's clock as Kubernetes writes it. */
export const time = (second: number): string => new Date(ms(second)).toISOString().replace(".000", "");

/** A pod's life as a test tells it; seconds. */
export interface PodStory {
  readonly uid: string;
  readonly start: number;
  /** Its init container asks for `initMillicores` until then; undefined = it has none. */
  readonly initializedAt?: number;
  readonly initMillicores?: number;
  readonly millicores: number;
  readonly mebibytes?: number;
  /** Phase Succeeded, with this `finishedAt`. */
  readonly finishedAt?: number;
  readonly gpus?: number;
}

/** The object of a pod. */
export function podOf(story: PodStory): KubePod {
  const { uid, start, initializedAt, initMillicores, millicores, mebibytes = 64, finishedAt, gpus } = story;
  const initialized = initMillicores === undefined || initializedAt !== undefined;
  const requests: Record<string, string> = { cpu: `${millicores}m`, memory: `${mebibytes}Mi` };
  if (gpus !== undefined) requests["nvidia.com/gpu"] = String(gpus);
  return {
    metadata: { name: uid, namespace: "shop", uid },
    spec: {
      nodeName: "n1",
      containers: [{ name: "c", resources: { requests } }],
      ...(initMillicores !== undefined && {
        initContainers: [{ name: "i", resources: { requests: { cpu: `${initMillicores}m` } } }],
      }),
    },
    status: {
      phase: finishedAt === undefined ? "Running" : "Succeeded",
      conditions: [
        { type: "PodScheduled", status: "True", lastTransitionTime: time(start) },
        {
          type: "Initialized",
          status: initialized ? "True" : "False",
          lastTransitionTime: time(initializedAt ?? start),
        },
      ],
      ...(finishedAt !== undefined && {
        containerStatuses: [{ name: "c", state: { terminated: { finishedAt: time(finishedAt) } } }],
      }),
    },
  };
}

/** Usage of pods of namespace shop: nanocores and bytes by name. */
export function usageOf(pods: Readonly<Record<string, readonly [nanocores: number, bytes: number]>>): Usage {
  return {
    source: "metrics.k8s.io",
    nodes: [],
    pods: Object.entries(pods).map(([pod, [cpu, memory]]) => ({
      namespace: "shop",
      pod,
      usage: { cpu: `${cpu}n`, memory: `${memory}` },
    })),
  };
}

/** A node of four cores. */
export function nodeOf(
  name: string,
  created: number,
  more: Partial<KubeNode["spec"]> & { ready?: boolean } = {},
): KubeNode {
  const { ready = true, ...spec } = more;
  return {
    metadata: { name, uid: `uid-${name}`, creationTimestamp: time(created) },
    spec,
    status: {
      capacity: { cpu: "4", memory: "8Gi" },
      allocatable: { cpu: "3900m", memory: "7Gi" },
      conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: time(created) }],
    },
  };
}

/** Whom every pod of a test belongs to. */
export const attribute = (): PodAttribution => ({
  complete: true,
  attribution: {
    namespace: "shop",
    workloadType: "Deployment",
    workloadName: "cart",
    costCenter: null,
    env: null,
    ownerTeam: null,
    labelSource: "none",
    labels: {},
  },
});

/** What a hub has after all rows: of each key the newest, the later one of two that are as new. */
export class TestHub {
  readonly usage = new Map<string, UsageRow>();
  readonly nodes = new Map<string, NodeRow>();

  take(flush: Pick<MeterFlush, "usage" | "nodes">): void {
    for (const row of flush.usage) {
      keepNewest(this.usage, `${row.podUid} ${row.intervalStartMs} ${row.hourStartMs}`, row);
    }
    for (const row of flush.nodes) keepNewest(this.nodes, `${row.nodeUid} ${row.hourStartMs}`, row);
  }

  of(uid: string): readonly UsageRow[] {
    const rows = [...this.usage.values()].filter((row) => row.podUid === uid);
    return rows.toSorted((a, b) => a.intervalStartMs - b.intervalStartMs || a.hourStartMs - b.hourStartMs);
  }

  /** Sums over all rows of a pod. */
  total(uid: string, resource: string): UsageIntegrals & { readonly billedMs: number } {
    const zero = { request: 0n, usage: 0n, charged: 0n, usageCoveredMs: 0, billedMs: 0 };
    return this.of(uid).reduce((sum, { resources, billedMs }) => {
      const value = resources.get(resource) ?? zero;
      return {
        request: sum.request + value.request,
        usage: sum.usage + value.usage,
        charged: sum.charged + value.charged,
        usageCoveredMs: sum.usageCoveredMs + value.usageCoveredMs,
        billedMs: sum.billedMs + billedMs,
      };
    }, zero);
  }
}

function keepNewest<R extends { readonly asOfMs: number }>(rows: Map<string, R>, key: string, row: R): void {
  const held = rows.get(key);
  if (!held || row.asOfMs >= held.asOfMs) rows.set(key, row);
}
