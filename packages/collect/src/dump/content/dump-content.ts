import type { KubeResource } from "@plimsoll/contracts";
import { PlimsollError, reportError } from "@plimsoll/contracts";
import { type ReadManifest, readManifest } from "../dump-manifest.ts";
import type { SkippedFile } from "../source/dump-file.ts";
import { type Content, classify, elementKind, inlineItems, type KindRef, kindOf, usageKind } from "./classify.ts";
import { KindLedger, type ListPage } from "./kind-ledger.ts";
import { resourceOfKind, resourceOfPath } from "./known-kinds.ts";
import { NewestTime } from "./newest-time.ts";
import { ObjectStore } from "./object-store.ts";
import { isRawObject, type RawObject } from "./raw-object.ts";
import { plural, UnusedRows } from "./unused-rows.ts";
import { UsageStore } from "./usage-store.ts";

/** What is noted of one file while it is read: which kinds a fault in it can affect. */
export interface FileNotes {
  readonly where: string;
  /** The resource that the file's name or folder says; for content that does not say its kind. */
  readonly hint: KubeResource | undefined;
  /** Its first bytes as text; undefined while it could not be opened. */
  head: string | undefined;
  /** Kinds of objects seen in it. */
  readonly kinds: Set<string>;
  /** Resources that stand side by side, outside of typed lists. */
  readonly mixed: Set<KubeResource>;
  /** Element kind of the typed list that was being read last. */
  listOf: KindRef | undefined;
  sawList: boolean;
  /** Values that are no Kubernetes objects. */
  foreign: number;
  /** Objects of any kind, usage figures and versions. */
  recognised: number;
}

/** Blank notes of a file. */
export function startNotes(where: string): FileNotes {
  const hint = resourceOfPath(where);
  const notes = { where, hint, kinds: new Set<string>(), mixed: new Set<KubeResource>() };
  return { ...notes, head: undefined, listOf: undefined, sawList: false, foreign: 0, recognised: 0 };
}

/** Everything that one dump turned out to hold. */
export class DumpContent {
  readonly newest = new NewestTime();
  readonly usage = new UsageStore();
  readonly unused = new UnusedRows();
  readonly gitVersions = new Set<string>();
  readonly store: ObjectStore;
  readonly ledger: KindLedger;
  manifest: ReadManifest | undefined;
  /** Files that were looked into, whatever they held. */
  filesRead = 0;
  /** Times of files that held objects, milliseconds. */
  newestFile: number | undefined;

  constructor(path: string) {
    this.store = new ObjectStore(path, this.newest);
    this.ledger = new KindLedger(path);
  }

  /** Takes in one parsed object; `listKind` is its kind when it names none. Throws dump_two_clusters only. */
  take(raw: unknown, listKind: KindRef | undefined, at: string, file: FileNotes): void {
    const where = `${file.where} ${at}`;
    if (!isRawObject(raw)) {
      file.foreign += 1;
      return;
    }
    const kind = kindOf(raw) ?? listKind;
    const items = inlineItems(raw);
    if (items === undefined) this.#takeOne(raw, kind, classify(raw, kind), where, file, listKind !== undefined);
    else this.#takeList(raw, items, at, file);
  }

  /** A typed list ended. */
  listEnd(elements: KindRef, page: ListPage): void {
    const resource = resourceOfKind(elements.kind, elements.apiVersion);
    if (resource !== undefined) this.ledger.listSeen(resource, page);
    const usage = usageKind(elements);
    if (usage !== undefined) this.usage.listSeen(usage);
  }

  /** A file was left out as a whole. */
  skip(file: SkippedFile): void {
    this.unused.add(file.where, file.code, file.reason);
    if (!file.doubtful) return;
    const error = new PlimsollError("dump_incomplete", { path: file.where, what: "objects", reason: file.reason });
    const hint = resourceOfPath(file.where);
    if (hint !== undefined) this.ledger.spoil([hint], reportError(error));
    else this.ledger.spoil("all", reportError(error));
  }

  #takeList(raw: RawObject, items: readonly unknown[], at: string, file: FileNotes): void {
    const elements = elementKind(kindOf(raw));
    file.sawList = true;
    items.forEach((item, i) => {
      this.take(item, elements, `${at} items[${i}]`, file);
    });
    if (elements !== undefined) this.listEnd(elements, pageOf(raw, items.length));
    else if (items.length === 0 && file.hint !== undefined) this.ledger.listSeen(file.hint, pageOf(raw, 0));
  }

  #takeOne(
    raw: RawObject,
    kind: KindRef | undefined,
    content: Content,
    where: string,
    file: FileNotes,
    inTypedList: boolean,
  ): void {
    if (content.type === "unknown") {
      this.#takeUnnamed(raw, where, file);
      return;
    }
    file.recognised += 1;
    if (kind !== undefined) file.kinds.add(kind.kind);
    if (content.type === "object") {
      if (!inTypedList) file.mixed.add(content.resource);
      this.#addObject(content.resource, raw, where);
    } else if (content.type === "usage") {
      this.#addUsage(content.kind, raw, where);
    } else this.#takeOther(raw, content, where, file);
  }

  #takeOther(raw: RawObject, content: Content, where: string, file: FileNotes): void {
    if (content.type === "version") {
      for (const version of content.gitVersions) this.gitVersions.add(version);
      if (content.gitVersions.length === 0) this.unused.add(where, "no_server_version", "kubectl reached no server");
    } else if (content.type === "manifest") this.manifest = readManifest(raw);
    else if (content.type === "status") this.unused.add(where, "api_error", `the API answered: ${content.message}`);
    else if (content.type === "otherKind") this.unused.addKind(content.kind, file.where);
  }

  /** An object that names no kind, in no list that does: its file's name may. */
  #takeUnnamed(raw: RawObject, where: string, file: FileNotes): void {
    if (file.hint === undefined || !isRawObject(raw.metadata)) {
      file.foreign += 1;
      return;
    }
    const resource = file.hint;
    file.recognised += 1;
    file.mixed.add(resource);
    this.#addObject(resource, raw, where);
  }

  #addObject(resource: KubeResource, raw: RawObject, where: string): void {
    try {
      this.store.add(resource, raw, where);
    } catch (error) {
      if (!(error instanceof PlimsollError) || error.code === "dump_two_clusters") throw error;
      this.unused.addLeftOut({ where, code: error.code, reason: reasonOf(error), resource });
    }
  }

  #addUsage(kind: "NodeMetrics" | "PodMetrics", raw: RawObject, where: string): void {
    try {
      this.usage.add(kind, raw, where);
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      this.unused.add(where, error.code, reasonOf(error));
    }
  }
}

function reasonOf(error: PlimsollError): string {
  return String(error.fields.reason ?? error.message);
}

/** The page information of a list's header. */
export function pageOf(header: RawObject, items: number): ListPage {
  const metadata = isRawObject(header.metadata) ? header.metadata : {};
  const remaining = metadata.remainingItemCount;
  return {
    items,
    continues: typeof metadata.continue === "string" && metadata.continue !== "",
    remaining: typeof remaining === "number" ? remaining : undefined,
    resourceVersion: String(metadata.resourceVersion ?? ""),
  };
}

/** What was found instead of objects, for dump_no_objects. */
export function describeForeign(content: DumpContent): string {
  const kinds = content.unused.list().slice(0, 3);
  const found = kinds.map((row) => `${row.where}: ${row.reason}`);
  if (content.usage.usage() !== undefined) found.unshift("usage figures");
  if (content.gitVersions.size > 0) found.unshift(plural(content.gitVersions.size, "version"));
  if (found.length > 0) return found.join("; ");
  return content.filesRead === 0 ? "nothing is in it" : "empty lists";
}
