import { PlimsollError } from "@plimsoll/contracts";
import { parse, YAMLParseError } from "yaml";
import { formatBytes } from "../dump-limits.ts";
import { type DocumentEvents, type Splitter, Undecodable } from "./document-events.ts";

/** A marker between documents; what stands behind it on its line belongs to the next one. */
const MARKER = /^(?:---|\.\.\.)(?:\s|$)/;
const ITEMS_LINE = /^items:\s*(?:#.*)?$/;
const DASH = /^( *)-(?:\s|$)/;
const NO_CONTENT = /^\s*(?:#|$)/;

/**
 * `header`: fields of a document. `itemsKey`: "items:" was read, its first element not yet. `items`: inside it.
 * `sequence`: inside a top-level sequence, whose elements are documents.
 */
type State = "header" | "itemsKey" | "items" | "sequence";

/**
 * Cuts YAML into documents, and lists as kubectl writes them into elements, by lines: the start of an element is a dash at the
 * indentation of the first one, and no text inside an element can stand there. So a long list is never parsed as one.
 * Each part is at most `limitBytes` (else dump_too_large). A list that ends without its `kind`, which kubectl writes behind
 * `items`, was cut: dump_truncated.
 */
export class YamlSplitter implements Splitter {
  readonly undecodable = new Undecodable();
  readonly #path: string;
  readonly #events: DocumentEvents;
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #state: State = "header";
  #rest = "";
  #line = 0;
  #header = "";
  #element = "";
  #dashIndent = 0;
  #isList = false;
  #items = 0;
  #documents = 0;

  constructor(path: string, events: DocumentEvents, limitBytes: number) {
    this.#path = path;
    this.#events = events;
    this.#limit = limitBytes;
  }

  push(piece: Uint8Array): void {
    this.#takeLines(this.#decoder.decode(piece, { stream: true }));
    this.#checkSize(this.#rest);
  }

  end(): void {
    this.#takeLines(`${this.#decoder.decode()}\n`);
    this.#documentEnd(true);
  }

  #takeLines(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.#line += 1;
      this.#takeLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
  }

  #takeLine(line: string): void {
    if (MARKER.test(line)) {
      this.#documentEnd(false);
      const behind = line.slice(3);
      if (!NO_CONTENT.test(behind)) this.#addToHeader(behind.trimStart());
    } else if (this.#state === "items" || this.#state === "sequence") this.#inElements(line);
    else if (this.#state === "itemsKey") this.#behindItemsKey(line);
    else this.#inHeader(line);
  }

  #inHeader(line: string): void {
    if (line.startsWith("%") && this.#header === "") return;
    const dash = this.#header === "" ? DASH.exec(line) : null;
    if (dash) this.#startElements("sequence", dash, line);
    else if (ITEMS_LINE.test(line)) this.#state = "itemsKey";
    else if (this.#header !== "" || !NO_CONTENT.test(line)) this.#addToHeader(line);
  }

  #behindItemsKey(line: string): void {
    if (NO_CONTENT.test(line)) return;
    const dash = DASH.exec(line);
    if (dash) {
      this.#isList = true;
      this.#events.listStart(this.#parse(`${this.#header}items: []\n`));
      this.#startElements("items", dash, line);
    } else {
      this.#state = "header";
      this.#addToHeader("items:");
      this.#inHeader(line);
    }
  }

  #startElements(state: "items" | "sequence", dash: RegExpExecArray, line: string): void {
    this.#state = state;
    this.#items = 0;
    this.#dashIndent = dash[1]?.length ?? 0;
    this.#element = `${line}\n`;
  }

  #inElements(line: string): void {
    const indent = line.length - line.trimStart().length;
    if (indent === this.#dashIndent && DASH.test(line)) {
      this.#elementEnd();
      this.#element = `${line}\n`;
    } else if (indent > this.#dashIndent || NO_CONTENT.test(line)) {
      this.#element += `${line}\n`;
      this.#checkSize(this.#element);
    } else {
      this.#elementEnd();
      this.#state = "header";
      this.#inHeader(line);
    }
  }

  #elementEnd(): void {
    const text = this.#element;
    this.#element = "";
    const isDocument = this.#state === "sequence";
    const parseElement = () => {
      const parsed = this.#parse(text);
      return Array.isArray(parsed) ? parsed[0] : parsed;
    };
    if (isDocument) this.#events.documentEnd(parseElement(), false, this.#at());
    else this.#events.item(parseElement, this.#at());
    this.#items += 1;
  }

  #documentEnd(atEndOfText: boolean): void {
    if (this.#state === "sequence") {
      this.#elementEnd();
      this.#events.arrayEnd(this.#items);
    } else if (this.#state === "items") this.#elementEnd();
    const header = `${this.#header}${this.#isList || this.#state === "itemsKey" ? "items: []\n" : ""}`;
    if (header.trim() !== "") {
      const fields = this.#parse(header);
      if (this.#isList && atEndOfText && !hasKind(fields)) throw this.#truncated();
      this.#events.documentEnd(fields, this.#isList, `document ${this.#documents + 1}`);
      this.#documents += 1;
    }
    this.#state = "header";
    this.#header = "";
    this.#isList = false;
  }

  #addToHeader(line: string): void {
    this.#header += `${line}\n`;
    this.#checkSize(this.#header);
  }

  #parse(text: string): unknown {
    this.undecodable.see(text, this.#at());
    try {
      return parse(text, { prettyErrors: false, logLevel: "error" });
    } catch (error) {
      const where = `line ${this.#line} (the part that ends there, ${this.#at()})`;
      throw new PlimsollError("dump_syntax", { path: this.#path, where, reason: reasonOf(error) });
    }
  }

  #checkSize(text: string): void {
    if (text.length <= this.#limit) return;
    const what = `one YAML part, ${this.#at()},`;
    throw new PlimsollError("dump_too_large", { path: this.#path, what, limit: formatBytes(this.#limit) });
  }

  #truncated(): PlimsollError {
    return new PlimsollError("dump_truncated", { path: this.#path, where: `its list, at items[${this.#items - 1}]` });
  }

  #at(): string {
    if (this.#state === "items") return `items[${this.#items}]`;
    return this.#state === "sequence" ? `element [${this.#items}]` : `document ${this.#documents + 1}`;
  }
}

/** Only the kind of fault: the parser's message may quote the text. */
function reasonOf(error: unknown): string {
  if (error instanceof ReferenceError) return "it has aliases of another part, or too many of them";
  return error instanceof YAMLParseError ? error.code.toLowerCase().replaceAll("_", " ") : "not valid YAML";
}

function hasKind(fields: unknown): boolean {
  return typeof fields === "object" && fields !== null && "kind" in fields;
}
