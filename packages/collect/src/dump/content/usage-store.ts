import type { NodeUsage, PodUsage, QuantityTexts, Usage } from "@plimsoll/contracts";
import { formatQuantity, parseResources, sumResources } from "@plimsoll/core";
import { FieldReader } from "../../projection/field-reader.ts";
import { NewestTime } from "./newest-time.ts";
import type { RawObject } from "./raw-object.ts";

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
    const reader = new FieldReader(raw, where);
    const metadata = reader.object("metadata");
    const name = metadata.text("name");
    const time = reader.optionalText("timestamp") ?? "";
    this.newest.see(time);
    if (kind === "NodeMetrics") {
      keepNewer(this.#nodes, name, { time, figure: { node: name, usage: reader.optionalQuantities("usage") ?? {} } });
      return;
    }
    const namespace = metadata.text("namespace");
    const usage = podUsage(reader, `${where} PodMetrics/${namespace}/${name}`);
    keepNewer(this.#pods, `${namespace}/${name}`, { time, figure: { namespace, pod: name, usage } });
  }

  /** Everything taken in; undefined when no list was seen. */
  usage(): Usage | undefined {
    if (!this.#nodesSeen && !this.#podsSeen) return undefined;
    return { source: "metrics.k8s.io", nodes: figures(this.#nodes), pods: figures(this.#pods) };
  }
}

/** A pod's usage is the sum of its containers'. */
function podUsage(reader: FieldReader, field: string): QuantityTexts {
  const containers = reader.list("containers").map((container) => container.optionalQuantities("usage") ?? {});
  const [only] = containers;
  if (only !== undefined && containers.length === 1) return only;
  const sum = sumResources(containers.map((usage) => parseResources(usage, field)));
  return Object.fromEntries(
    Array.from(sum, ([name, nanos]) => [name, formatQuantity(nanos, name === "cpu" ? "decimal" : "binary")]),
  );
}

function keepNewer<T>(held: Map<string, Timed<T>>, key: string, entry: Timed<T>): void {
  const before = held.get(key);
  if (before === undefined || entry.time > before.time) held.set(key, entry);
}

function figures<T>(held: Map<string, Timed<T>>): T[] {
  return Array.from(held.values(), (entry) => entry.figure);
}
