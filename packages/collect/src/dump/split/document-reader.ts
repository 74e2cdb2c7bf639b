import { RESOURCE_PATHS } from "../../kube/resources.ts";
import { elementKind, type KindRef, kindOf, usageKind } from "../content/classify.ts";
import { type DumpContent, type FileNotes, pageOf } from "../content/dump-content.ts";
import { resourceOfKind } from "../content/known-kinds.ts";
import { isRawObject, type RawObject, textIn } from "../content/raw-object.ts";
import type { DocumentEvents } from "./document-events.ts";

/** Documents, by number, whose elements name no kind and whose own kind was behind them: read in a second pass. */
export type LaterDocuments = ReadonlyMap<number, KindRef>;

/** First pass over a file: hands every object to the content at once and keeps none. */
export class DocumentReader implements DocumentEvents {
  readonly later = new Map<number, KindRef>();
  readonly #content: DumpContent;
  readonly #file: FileNotes;
  #document = 0;
  #elements: KindRef | undefined;
  /** Element kind of a list that no figure needs: its elements are counted without parsing them. */
  #unread: string | undefined;
  #items = 0;
  #unnamed = 0;

  constructor(content: DumpContent, file: FileNotes) {
    this.#content = content;
    this.#file = file;
  }

  listStart(header: unknown): void {
    this.#file.sawList = true;
    this.#items = 0;
    this.#unnamed = 0;
    this.#elements = elementKind(isRawObject(header) ? kindOf(header) : undefined);
    this.#file.listOf = this.#elements;
    this.#unread = this.#elements !== undefined && !isRead(this.#elements) ? this.#elements.kind : undefined;
  }

  item(parse: () => unknown, at: string): void {
    this.#items += 1;
    if (this.#unread !== undefined) {
      this.#content.unused.addKind(this.#unread, this.#file.where);
      this.#file.recognised += 1;
      return;
    }
    const raw = parse();
    const unnamed = this.#elements === undefined && isRawObject(raw) && textIn(raw, "kind") === undefined;
    if (unnamed) this.#unnamed += 1;
    else this.#content.take(raw, this.#elements, at, this.#file);
  }

  documentEnd(header: unknown, isList: boolean, at: string): void {
    if (isList && isRawObject(header)) this.#listEnd(header, at);
    else this.#content.take(header, undefined, at, this.#file);
    this.#document += 1;
  }

  arrayEnd(documents: number): void {
    const { hint } = this.#file;
    if (documents === 0 && hint !== undefined) this.#content.ledger.listSeen(hint, pageOf({}, 0));
  }

  #listEnd(header: RawObject, at: string): void {
    const kind = kindOf(header);
    const elements = elementKind(kind);
    this.#file.listOf = undefined;
    if (this.#unnamed > 0 && elements !== undefined && !isRead(elements)) {
      this.#content.unused.addKind(elements.kind, this.#file.where, this.#unnamed);
      this.#file.recognised += this.#unnamed;
    } else if (this.#unnamed > 0) this.#readAgain(elements, at);
    if (elements !== undefined) this.#content.listEnd(elements, pageOf(header, this.#items));
    else if (this.#items === 0) this.arrayEnd(0);
  }

  #readAgain(elements: KindRef | undefined, at: string): void {
    const { hint, where } = this.#file;
    const kind = elements ?? (hint === undefined ? undefined : RESOURCE_PATHS[hint]);
    if (kind !== undefined) {
      this.later.set(this.#document, kind);
      return;
    }
    const reason = `${this.#unnamed} elements name no kind, nor does their list; name the file after it (pods.json)`;
    this.#content.unused.add(`${where} ${at}`, "no_kind", reason);
    this.#file.foreign += this.#unnamed;
  }
}

/** Second pass: takes only what the first one could not name. */
export class LaterReader implements DocumentEvents {
  readonly #content: DumpContent;
  readonly #file: FileNotes;
  readonly #later: LaterDocuments;
  #document = 0;

  constructor(content: DumpContent, file: FileNotes, later: LaterDocuments) {
    this.#content = content;
    this.#file = file;
    this.#later = later;
  }

  item(parse: () => unknown, at: string): void {
    const kind = this.#later.get(this.#document);
    if (kind === undefined) return;
    const raw = parse();
    if (isRawObject(raw) && textIn(raw, "kind") === undefined) this.#content.take(raw, kind, at, this.#file);
  }

  documentEnd(): void {
    this.#document += 1;
  }

  listStart(): void {}

  arrayEnd(): void {}
}

function isRead(kind: KindRef): boolean {
  return resourceOfKind(kind.kind, kind.apiVersion) !== undefined || usageKind(kind) !== undefined;
}
