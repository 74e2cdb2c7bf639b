/**
 * Text from a cluster or file made safe to show: control characters (escape sequences among them), line
 * breaks and marks that reverse the reading direction become `�`, so that a name cannot move the cursor or forge a line.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "�");
}

/** The same, but tabs and line breaks stay: for what lays them out by itself, a page or a quoted cell. */
export function plainLines(text: string): string {
  return text.replace(/[^\t\r\n]+/g, plainText);
}
