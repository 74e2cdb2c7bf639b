import { isRawObject, objectIn, textIn } from "../content/raw-object.ts";

/** Strings, which are skipped, and the characters that make structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],]/gs;

/**
 * Names the object whose JSON was cut off ("Pod shop/cart-1"), from what is left of it; undefined when that is too little.
 * Cuts back to the last whole field and closes what is open.
 */
export function nameOfPart(bytes: Uint8Array): string | undefined {
  try {
    return nameOf(JSON.parse(closed(Buffer.from(bytes).toString("utf8"))));
  } catch {
    return undefined;
  }
}

function closed(text: string): string {
  const open: string[] = [];
  let cutAt = 0;
  let closing: readonly string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{") open.push("}");
    else if (token === "[") open.push("]");
    else if (token === "}" || token === "]") open.pop();
    else if (token === ",") {
      cutAt = index;
      closing = open.toReversed();
    }
  }
  return text.slice(0, cutAt) + closing.join("");
}

function nameOf(value: unknown): string | undefined {
  if (!isRawObject(value)) return undefined;
  const metadata = objectIn(value, "metadata");
  const name = textIn(metadata, "name");
  if (name === undefined) return undefined;
  const kind = textIn(value, "kind");
  const namespace = textIn(metadata, "namespace");
  return `${kind === undefined ? "" : `${kind} `}${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
