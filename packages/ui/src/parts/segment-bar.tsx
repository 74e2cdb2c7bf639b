/** One part of a whole that is shown as a bar. `kind` picks the colour by the style sheet. */
export interface Segment {
  readonly kind: string;
  readonly size: number;
}

/** Parts of a whole side by side. The words beside it say the same, so it is hidden from readers. */
export function SegmentBar({
  segments,
  stale = false,
}: {
  readonly segments: readonly Segment[];
  readonly stale?: boolean;
}) {
  const whole = segments.reduce((sum, { size }) => sum + size, 0);
  if (whole <= 0) return <span className="segments none" aria-hidden="true" />;
  return (
    <span className={stale ? "segments stale" : "segments"} aria-hidden="true">
      {segments
        .filter(({ size }) => size > 0)
        .map(({ kind, size }) => (
          <span key={kind} className={`segment ${kind}`} style={{ flexGrow: size / whole }} />
        ))}
    </span>
  );
}
