/** Which requests a fault is for. */
export interface FaultTarget {
  /** Only paths that begin so, without the cluster's prefix and the query ("/api/v1/pods"). Default: any. */
  readonly path?: string;
  /** Default: any. */
  readonly verb?: RequestVerb;
  /** How often it strikes; default once, Infinity until it is removed. */
  readonly times?: number;
}

export type RequestVerb = "get" | "list" | "watch";

/** Something that goes wrong on order. */
export type Fault = FaultTarget &
  (
    | {
        /** Answers with an error in place of the result. */
        readonly does: "answer";
        readonly status: number;
        readonly retryAfterSeconds?: number;
      }
    | {
        /** Answers late. */
        readonly does: "delay";
        readonly delayMs: number;
      }
    | {
        /** Closes the connection without an answer. */
        readonly does: "refuse";
      }
    | {
        /** Breaks off in the middle: of a list's JSON, of a watch's next event (watches that run already included). */
        readonly does: "cut";
      }
    | {
        /** Sends nothing more and keeps the connection: a list after half its JSON, a watch from its next event on. */
        readonly does: "silence";
      }
  );

/** A fault in place. */
export interface InjectedFault {
  readonly fault: Fault;
  /** How often it struck. A test whose faults never struck proves nothing. */
  readonly fired: number;
  remove(): void;
}

interface Loaded {
  readonly fault: Fault;
  fired: number;
}

/** The faults of one cluster, in the order they were injected. */
export class FaultBox {
  readonly #loaded = new Set<Loaded>();

  inject(fault: Fault): InjectedFault {
    const loaded: Loaded = { fault, fired: 0 };
    this.#loaded.add(loaded);
    return {
      fault,
      get fired() {
        return loaded.fired;
      },
      remove: () => {
        this.#loaded.delete(loaded);
      },
    };
  }

  /** Removes all faults. */
  clear(): void {
    this.#loaded.clear();
  }

  /** The first fault that does one of `kinds` and strikes this request; it has struck then. */
  take<K extends Fault["does"]>(kinds: readonly K[], verb: RequestVerb, path: string): FaultDoing<K> | undefined {
    for (const loaded of this.#loaded) {
      const { fault } = loaded;
      if (!does(fault, kinds) || !isFor(fault, verb, path)) continue;
      loaded.fired++;
      if (loaded.fired >= (fault.times ?? 1)) this.#loaded.delete(loaded);
      return fault;
    }
    return undefined;
  }
}

type FaultDoing<K extends Fault["does"]> = Extract<Fault, { does: K }>;

function does<K extends Fault["does"]>(fault: Fault, kinds: readonly K[]): fault is FaultDoing<K> {
  return kinds.some((kind) => kind === fault.does);
}

function isFor({ path, verb }: FaultTarget, requestVerb: RequestVerb, requestPath: string): boolean {
  return (verb === undefined || verb === requestVerb) && (path === undefined || requestPath.startsWith(path));
}
