import type { Labels, PoolClass } from "./pod-template.ts";

/** A machine on a provider's price list. */
export interface MachineType {
  readonly name: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly gpus: number;
  /** "" without GPUs. */
  readonly gpuModel: string;
  readonly maxPods: number;
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: "NoSchedule" | "NoExecute" | "PreferNoSchedule";
}

/** Nodes that are bought and labelled alike; shared between their records. */
export interface NodePool {
  readonly name: string;
  readonly class: Exclude<PoolClass, "every-node">;
  readonly machine: MachineType;
  readonly spot: boolean;
  readonly taints: readonly Taint[];
  readonly labels: Labels;
  /** Node size as Kubernetes writes it. */
  readonly capacity: Labels;
  readonly allocatable: Labels;
  /** The same for packing. */
  readonly allocatableCpuMillicores: number;
  readonly allocatableMemoryMib: number;
}
