import { plainLines } from "../../format/plain-text.ts";

/** HTML that is safe to put into a page: only `html` and `trusted` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold: texts are escaped, `null`, `undefined` and `false` leave nothing. */
export type Content = Markup | string | number | bigint | null | undefined | false | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * A piece of a page: html`<td title="${full}">${name}</td>`. Every value is escaped for text and quoted attributes (never
 * leave the quotes out), and control characters in it become `�`; pieces and lists of pieces go in as they are.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const rest = values.map((value, index) => render(value) + (parts[index + 1] ?? ""));
  return new Markup((parts[0] ?? "") + rest.join(""));
}

/** Our own constant text (style sheet, script) as it is. Never call it with anything that came from a cluster. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function render(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(render).join("");
  return plainLines(String(content)).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
