import type { MachineType } from "../records/node-pool.ts";
import type { Labels } from "../records/pod-template.ts";

/** Capacity and allocatable of a machine, as Kubernetes writes them and as packing reckons. */
export interface NodeSize {
  readonly capacity: Labels;
  readonly allocatable: Labels;
  readonly allocatableCpuMillicores: number;
  readonly allocatableMemoryMib: number;
}

const KIB_PER_GIB = 1_048_576;
const DISK_KIB = 101_430_960;

/** The kernel and firmware keep a thirtieth of the memory; kubelet and system keep cpu per core and a twelfth of the memory. */
export function sizeOf({ cores, memoryGib, gpus, maxPods }: MachineType): NodeSize {
  const memoryKib = memoryGib * KIB_PER_GIB - Math.floor((memoryGib * KIB_PER_GIB) / 30);
  const allocatableKib = memoryKib - Math.floor(memoryKib / 12) - 102_400;
  const cpuMillicores = cores * 1000 - 60 - 10 * cores;
  const same = { pods: String(maxPods), "hugepages-1Gi": "0", "hugepages-2Mi": "0", ...gpuCount(gpus) };
  return {
    capacity: { cpu: String(cores), memory: `${memoryKib}Ki`, "ephemeral-storage": `${DISK_KIB}Ki`, ...same },
    allocatable: {
      cpu: `${cpuMillicores}m`,
      memory: `${allocatableKib}Ki`,
      "ephemeral-storage": String(Math.floor(DISK_KIB * 1024 * 0.9)),
      ...same,
    },
    allocatableCpuMillicores: cpuMillicores,
    allocatableMemoryMib: Math.floor(allocatableKib / 1024),
  };
}

/** A virtual node claims a capacity that no machine has. */
export const VIRTUAL_SIZE: NodeSize = {
  capacity: { cpu: "1000", memory: "4000Gi", pods: "1000", "ephemeral-storage": "40000Gi" },
  allocatable: { cpu: "1000", memory: "4000Gi", pods: "1000", "ephemeral-storage": "40000Gi" },
  allocatableCpuMillicores: 1_000_000,
  allocatableMemoryMib: 4_096_000,
};

function gpuCount(gpus: number): Labels {
  return gpus > 0 ? { "nvidia.com/gpu": String(gpus) } : {};
}
