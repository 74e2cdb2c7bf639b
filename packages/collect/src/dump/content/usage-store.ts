import type { NodeUsage, PodUsage, Usage } from "@plimsoll/contracts";
import { projectNodeUsage, projectPodUsage } from "../../usage/metrics-api.ts";
import { NewestTime } from "./newest-time.ts";
import { type RawObject, textIn } from "./raw-object.ts";

interface Timed<T> {
  readonly figure: T;
  readonly time: string;
}

/** Usage figures of metrics.k8s.io in one dump; of a node or pod that is there twice the newer stays. */
export class UsageStore {
  /** The newest figure's own time. */
  readonly newest = new NewestTime();
  #nodesSeen = false;
  #podsSeen = false;
  readonly #nodes = new Map<string, Timed<NodeUsage>>();
  readonly #pods = new Map<string, Timed<PodUsage>>();

  /** A list of this kind was seen, even if it was empty. */
  listSeen(kind: "NodeMetrics" | "PodMetrics"): void {
    if (kind === "NodeMetrics") this.#nodesSeen = true;
    else this.#podsSeen = true;
  }

  get seen(): { readonly nodes: boolean; readonly pods: boolean } {
    return { nodes: this.#nodesSeen, pods: this.#podsSeen };
  }

  /** Takes in one NodeMetrics or PodMetrics. Throws object_unusable or quantity_invalid. */
  add(kind: "NodeMetrics" | "PodMetrics", raw: RawObject, where: string): void {
    this.listSeen(kind);
    const time = textIn(raw, "timestamp") ?? "";
    this.newest.see(time);
    if (kind === "NodeMetrics") {
      const figure = projectNodeUsage(raw, where);
      keepNewer(this.#nodes, figure.node, { time, figure });
    } else {
      const figure = projectPodUsage(raw, where);
      keepNewer(this.#pods, `${figure.namespace}/${figure.pod}`, { time, figure });
    }
  }

  /** Everything taken in; undefined when no list was seen. */
  usage(): Usage | undefined {
    if (!this.#nodesSeen && !this.#podsSeen) return undefined;
    return { source: "metrics.k8s.io", nodes: figures(this.#nodes), pods: figures(this.#pods) };
  }
}

function keepNewer<T>(held: Map<string, Timed<T>>, key: string, entry: Timed<T>): void {
  const before = held.get(key);
  if (before === undefined || entry.time > before.time) held.set(key, entry);
}

function figures<T>(held: Map<string, Timed<T>>): T[] {
  return Array.from(held.values(), (entry) => entry.figure);
}
