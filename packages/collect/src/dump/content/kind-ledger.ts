import { type KubeResource, PlimsollError, type ReportedError, reportError } from "@plimsoll/contracts";
import { KUBE_RESOURCES } from "../../kube/resources.ts";

/** What a typed list says of itself; a list read with `limit` is one page of several. */
export interface ListPage {
  readonly items: number;
  /** More pages follow. */
  readonly continues: boolean;
  /** Objects on later pages, if the server said so. */
  readonly remaining: number | undefined;
  /** The same on all pages of one list. */
  readonly resourceVersion: string;
}

/** Never empty in a working cluster (services: default/kubernetes). A mixed list with all of them was asked for widely. */
const NEVER_EMPTY: readonly KubeResource[] = ["nodes", "namespaces", "pods", "services"];

/**
 * Decides for each resource whether the dump holds all of its objects. Rules, first that applies:
 * 1. a file that may hold some of them was cut, damaged or unreadable: unknown, with that error;
 * 2. a page of its list is missing: unknown (dump_incomplete);
 * 3. objects were seen: known;
 * 4. a list of it was seen, empty: known empty;
 * 5. a mixed list (kubectl get a,b,c) was seen that holds nodes, namespaces, pods and services, and no object refers to one of
 *    this resource: known empty. A mixed list does not say what was asked for; this one is evidently the documented command;
 * 6. else unknown (dump_kind_missing).
 */
export class KindLedger {
  readonly #path: string;
  readonly #faults = new Map<KubeResource, ReportedError>();
  readonly #pages = new Map<KubeResource, ListPage[]>();
  #fullMixedList = false;
  #doubt: ReportedError | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** A list of this resource alone was read to its end. */
  listSeen(resource: KubeResource, page: ListPage): void {
    const pages = this.#pages.get(resource);
    if (pages === undefined) this.#pages.set(resource, [page]);
    else pages.push(page);
  }

  /** A file was read to its end that holds objects of these resources side by side. */
  mixedSeen(resources: ReadonlySet<KubeResource>): void {
    if (NEVER_EMPTY.every((resource) => resources.has(resource))) this.#fullMixedList = true;
  }

  /** Some objects of these resources could not be read; the first fault of each stays. */
  spoil(resources: readonly KubeResource[] | "all", error: ReportedError): void {
    for (const resource of resources === "all" ? KUBE_RESOURCES : resources) {
      if (!this.#faults.has(resource)) this.#faults.set(resource, error);
    }
  }

  /** Something was not read that may have held anything: what is absent is unknown. */
  doubtAbsence(error: ReportedError): void {
    this.#doubt ??= error;
  }

  /** Why this resource is unknown; undefined when it is known. */
  fault(resource: KubeResource, seen: boolean, referred: boolean): ReportedError | undefined {
    const fault = this.#faults.get(resource) ?? this.#missingPage(resource);
    if (fault !== undefined || seen || this.#pages.has(resource)) return fault;
    if (this.#doubt !== undefined) return this.#doubt;
    if (this.#fullMixedList && !referred) return undefined;
    return reportError(new PlimsollError("dump_kind_missing", { path: this.#path, resource }));
  }

  #missingPage(resource: KubeResource): ReportedError | undefined {
    const pages = this.#pages.get(resource) ?? [];
    const unfinished = pages.find((page) => page.continues && !completed(page, pages));
    if (unfinished === undefined) return undefined;
    const reason = `the list was read with a limit and ${unfinished.remaining ?? "some"} objects are on pages that are not here`;
    return reportError(new PlimsollError("dump_incomplete", { path: this.#path, what: resource, reason }));
  }
}

/** Are the pages behind this one there too? */
function completed(page: ListPage, pages: readonly ListPage[]): boolean {
  const chain = pages.filter((other) => other.resourceVersion === page.resourceVersion);
  const items = chain.reduce((sum, other) => sum + other.items, 0);
  return chain.some((other) => !other.continues) && items >= page.items + (page.remaining ?? 0);
}
