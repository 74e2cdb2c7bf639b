import { formatPercent, percentOf } from "../../format/percent.ts";
import { bandOf } from "../../format/watermark-band.ts";
import type { Cell } from "./table-layout.ts";

/** A share that may be unknown: part and whole in one unit. */
export interface Share {
  readonly part: bigint | null | undefined;
  readonly whole: bigint | null | undefined;
}

/** A percentage with the look of its watermark band. */
export function percentCell(part: Share["part"], whole: Share["whole"]): Cell {
  return bandCell(formatPercent(part, whole), percentOf(part, whole));
}

/** `90/40`: requested and used percent in one cell, with the look of the first. */
export function pairCell(requested: Share, used: Share): Cell {
  const texts = [requested, used].map(({ part, whole }) => formatPercent(part, whole).replace("%", ""));
  return bandCell(texts.join("/"), percentOf(requested.part, requested.whole));
}

function bandCell(text: string, percent: number | null): Cell {
  const band = bandOf(percent);
  if (band === "critical") return { text, style: "red" };
  if (band === "high") return { text, style: "yellow" };
  return band === "idle" ? { text, style: "dim" } : { text };
}
