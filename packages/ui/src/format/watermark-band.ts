/** Where a watermark stands between the lines 20, 40, 75 and 90 %. */
export type WatermarkBand = "idle" | "low" | "good" | "high" | "critical";

/** The lines between the bands, in percent. Source: the default lines of capacity watermarks. */
export const WATERMARK_LINES = [20, 40, 75, 90] as const;

/** The bands from empty to full. */
export const WATERMARK_BANDS = ["idle", "low", "good", "high", "critical"] as const;

/** The band of a percentage; a value on a line belongs to the band above it. `null` stays unknown. */
export function bandOf(percent: number | null): WatermarkBand | null {
  if (percent === null) return null;
  return WATERMARK_BANDS[WATERMARK_LINES.filter((line) => percent >= line).length] ?? null;
}
