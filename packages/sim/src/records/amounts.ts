/** Requests or limits in the units the simulator reckons in; what is undefined is not named by the container. */
export interface Amounts {
  readonly cpuMillicores?: number;
  readonly memoryMib?: number;
  /** Whole devices of `nvidia.com/gpu`. */
  readonly gpus?: number;
}

/** An amount of everything that packing and truth reckon with; nothing is undefined. */
export interface Request {
  readonly cpuMillicores: number;
  readonly memoryMib: number;
  readonly gpus: number;
}

export const NO_REQUEST: Request = { cpuMillicores: 0, memoryMib: 0, gpus: 0 };

export function add(a: Request, b: Amounts): Request {
  return {
    cpuMillicores: a.cpuMillicores + (b.cpuMillicores ?? 0),
    memoryMib: a.memoryMib + (b.memoryMib ?? 0),
    gpus: a.gpus + (b.gpus ?? 0),
  };
}

export function larger(a: Request, b: Request): Request {
  return {
    cpuMillicores: Math.max(a.cpuMillicores, b.cpuMillicores),
    memoryMib: Math.max(a.memoryMib, b.memoryMib),
    gpus: Math.max(a.gpus, b.gpus),
  };
}
