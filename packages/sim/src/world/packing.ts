import type { Request } from "../records/amounts.ts";
import type { NodePool } from "../records/node-pool.ts";
import type { PoolClass } from "../records/pod-template.ts";

/** Share of a node that placing leaves free. */
const MARGIN = 0.06;

interface Room {
  readonly pool: NodePool;
  cpuMillicores: number;
  memoryMib: number;
  gpus: number;
  pods: number;
  /** Takes new pods: ready and not cordoned. */
  open: boolean;
}

/**
 * Free room of every node. Places each pod on the fullest node that still has room (best fit), so requests never exceed
 * what is allocatable and some nodes stay nearly empty.
 */
export class Packing {
  readonly #rooms = new Map<string, Room>();

  addNode(node: string, pool: NodePool, open: boolean): void {
    this.#rooms.set(node, {
      pool,
      cpuMillicores: pool.allocatableCpuMillicores,
      memoryMib: pool.allocatableMemoryMib,
      gpus: pool.machine.gpus,
      pods: pool.machine.maxPods,
      open,
    });
  }

  removeNode(node: string): void {
    this.#rooms.delete(node);
  }

  setOpen(node: string, open: boolean): void {
    const room = this.#rooms.get(node);
    if (room !== undefined) room.open = open;
  }

  /** Name of the node where the pod goes; null when no open node of the class has room. Reserves nothing. */
  findNode(poolClass: PoolClass, request: Request): string | null {
    let best: string | null = null;
    let leastCpu = Number.POSITIVE_INFINITY;
    for (const [node, room] of this.#rooms) {
      if (!room.open || room.pool.class !== poolClass || !fits(room, withMargin(room, request))) continue;
      if (room.cpuMillicores < leastCpu) {
        best = node;
        leastCpu = room.cpuMillicores;
      }
    }
    return best;
  }

  fits(node: string, request: Request): boolean {
    const room = this.#rooms.get(node);
    return room !== undefined && fits(room, request);
  }

  reserve(node: string, request: Request): void {
    this.#take(node, request, 1);
  }

  release(node: string, request: Request): void {
    this.#take(node, request, -1);
  }

  #take(node: string, request: Request, sign: 1 | -1): void {
    const room = this.#rooms.get(node);
    if (room === undefined) return;
    room.cpuMillicores -= sign * request.cpuMillicores;
    room.memoryMib -= sign * request.memoryMib;
    room.gpus -= sign * request.gpus;
    room.pods -= sign;
  }
}

/** A little stays free on every node, so that pods that use more than they asked for find it. */
function withMargin({ pool }: Room, { cpuMillicores, memoryMib, gpus }: Request): Request {
  return {
    cpuMillicores: cpuMillicores + MARGIN * pool.allocatableCpuMillicores,
    memoryMib: memoryMib + MARGIN * pool.allocatableMemoryMib,
    gpus,
  };
}

function fits(room: Room, request: Request): boolean {
  return (
    room.pods >= 1 &&
    room.cpuMillicores >= request.cpuMillicores &&
    room.memoryMib >= request.memoryMib &&
    room.gpus >= request.gpus
  );
}
