import type { BuiltNode } from "./build-nodes.ts";
import type { WorkloadPlan } from "./plan.ts";

/** Places a pod as a scheduler would: where it fits and least is requested. */
export class Schedule {
  readonly #nodes: readonly BuiltNode[];
  readonly #taken = new Map<string, { cpu: number; memory: number; gpus: number; pods: number }>();

  constructor(nodes: readonly BuiltNode[]) {
    this.#nodes = nodes;
    for (const node of nodes) this.#taken.set(node.name, { cpu: 0, memory: 0, gpus: 0, pods: 0 });
  }

  /** Every machine, for DaemonSets. */
  machines(): readonly BuiltNode[] {
    return this.#nodes.filter((node) => node.plan.state !== "virtual");
  }

  /** The node for a pod of this workload, and takes its share. Throws when none fits: the plan is too full. */
  place(workload: WorkloadPlan): BuiltNode {
    const fitting = this.#nodes.filter((node) => this.#admits(node, workload) && this.#fits(node, workload));
    const [best] = fitting.toSorted((a, b) => this.#fullness(a) - this.#fullness(b));
    if (best === undefined) throw new Error(`no room for ${workload.namespace}/${workload.name}`);
    this.take(best, workload);
    return best;
  }

  /** Books a pod's requests on a node. */
  take(node: BuiltNode, workload: WorkloadPlan): void {
    const taken = this.#of(node);
    taken.cpu += workload.cpu + (workload.sidecar ? 50 : 0);
    taken.memory += workload.memory + (workload.sidecar ? 64 : 0);
    taken.gpus += workload.gpus ?? 0;
    taken.pods += 1;
  }

  #admits({ name, plan }: BuiltNode, workload: WorkloadPlan): boolean {
    if (workload.pool !== undefined) return plan.pool === workload.pool;
    if (plan.gpus !== undefined || plan.state === "virtual" || plan.state === "control-plane") return false;
    // What is left on a node that takes no more: a few pods from before.
    const closed = plan.state === "cordoned" || plan.state === "NotReady";
    return !closed || (this.#taken.get(name)?.pods ?? 0) < 8;
  }

  #fits(node: BuiltNode, workload: WorkloadPlan): boolean {
    const taken = this.#of(node);
    return (
      taken.cpu + workload.cpu + 50 <= node.cpuMillicores &&
      taken.memory + workload.memory + 64 <= node.memoryMi &&
      taken.gpus + (workload.gpus ?? 0) <= (node.plan.gpus ?? 0)
    );
  }

  #fullness(node: BuiltNode): number {
    const taken = this.#of(node);
    return Math.max(taken.cpu / node.cpuMillicores, taken.memory / node.memoryMi);
  }

  #of(node: BuiltNode) {
    const taken = this.#taken.get(node.name);
    if (taken === undefined) throw new Error(`unknown node ${node.name}`);
    return taken;
  }
}
