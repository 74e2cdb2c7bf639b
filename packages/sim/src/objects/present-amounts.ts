import type { Amounts } from "../records/amounts.ts";
import type { Labels } from "../records/pod-template.ts";

/** Amounts as quantity texts, in the form the API server writes them back. */
export function presentAmounts({ cpuMillicores, memoryMib, gpus }: Amounts): Labels {
  return {
    ...(cpuMillicores === undefined ? {} : { cpu: cpuText(cpuMillicores) }),
    ...(memoryMib === undefined ? {} : { memory: memoryText(memoryMib) }),
    ...(gpus === undefined || gpus === 0 ? {} : { "nvidia.com/gpu": String(gpus) }),
  };
}

/** `resources` of a container: a map that is empty is left out. */
export function presentResources(requests: Amounts, limits: Amounts): { requests?: Labels; limits?: Labels } {
  const asked = presentAmounts(requests);
  const limited = presentAmounts(limits);
  return {
    ...(Object.keys(limited).length === 0 ? {} : { limits: limited }),
    ...(Object.keys(asked).length === 0 ? {} : { requests: asked }),
  };
}

function cpuText(millicores: number): string {
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`;
}

function memoryText(mib: number): string {
  return mib % 1024 === 0 && mib > 0 ? `${mib / 1024}Gi` : `${mib}Mi`;
}
