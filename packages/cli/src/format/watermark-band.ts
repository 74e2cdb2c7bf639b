/** Where a watermark stands between the lines 20, 40, 75 and 90 %. */
export type WatermarkBand = "idle" | "low" | "good" | "high" | "critical";

/** The lines between the bands, in percent. Source: the default lines of capacity watermarks. */
export const WATERMARK_LINES = [20, 40, 75, 90] as const;

/** The band of a percentage; a value on a line belongs to the band above it. `null` stays unknown. */
export function bandOf(percent: number | null): WatermarkBand | null {
  if (percent === null) return null;
  if (percent < 20) return "idle";
  if (percent < 40) return "low";
  if (percent < 75) return "good";
  return percent < 90 ? "high" : "critical";
}
