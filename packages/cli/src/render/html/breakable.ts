import { html, type Markup } from "./markup.ts";

/** A version, node or cluster name that may be broken after its separators instead of anywhere. */
export function breakable(text: string): Markup {
  const parts = text.split(/(?<=[-+/@:_])/);
  return html`${parts.map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
}
