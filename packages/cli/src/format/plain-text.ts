/**
 * Text from a cluster or file made safe to print in a terminal: control characters (escape sequences among them), line
 * breaks and marks that reverse the reading direction become `�`, so that a name cannot move the cursor or forge a line.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "�");
}
