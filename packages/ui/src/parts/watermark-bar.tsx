import { bandOf, WATERMARK_LINES } from "../format/watermark-band.ts";

/** Percentages of one resource; `null` = unknown. */
export interface Shares {
  readonly requested: number | null;
  readonly used: number | null;
}

/**
 * How full a resource is: wide bar = requested, thin bar = used, ticks at the lines. The words beside it say the same, so
 * it is hidden from readers. Stale is hatched, unknown an outline.
 */
export function WatermarkBar({ requested, used, stale }: Shares & { readonly stale: boolean }) {
  if (requested === null && used === null) return <span className="bar none" aria-hidden="true" />;
  return (
    <span className={stale ? "bar stale" : "bar"} aria-hidden="true">
      {requested !== null && <span className={`requested ${bandOf(requested)}`} style={{ width: clip(requested) }} />}
      {used !== null && <span className="used" style={{ width: clip(used) }} />}
      {WATERMARK_LINES.map((line) => (
        <span key={line} className="tick" style={{ left: `${line}%` }} />
      ))}
    </span>
  );
}

function clip(percent: number): string {
  return `${Math.max(0, Math.min(100, percent))}%`;
}
