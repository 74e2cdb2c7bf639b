import stringWidth from "string-width";

/** Columns that `text` takes in a terminal (a Chinese character takes two, a combining mark none). */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** `text` cut to `width` columns, the cut shown by `…`. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** `text` filled with blanks to `width` columns; on the left when it is right-aligned. */
export function pad(text: string, width: number, align: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + blanks : blanks + text;
}

/** `text` broken between words into lines of at most `width` columns; a longer word stands alone, uncut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
