/** A span of time, half-open; whole milliseconds since 1970 UTC. One that does not end after its start is empty. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The same time as spans in order that neither touch nor overlap; empty ones are left out. */
export function unionSpans(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const union: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (toMs <= fromMs) continue;
    const last = union.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else union.push({ fromMs, toMs });
  }
  return union;
}

/** The parts of spans within bounds. */
export function clipSpans(spans: readonly TimeSpan[], { fromMs, toMs }: TimeSpan): readonly TimeSpan[] {
  return spans
    .map((span) => ({ fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }))
    .filter((span) => span.fromMs < span.toMs);
}

/** What `spans` hold and `taken` do not; both are unions. */
export function subtractSpans(spans: readonly TimeSpan[], taken: readonly TimeSpan[]): readonly TimeSpan[] {
  return spans.flatMap((span) => {
    const holes = clipSpans(taken, span);
    const starts = [span.fromMs, ...holes.map(({ toMs }) => toMs)];
    const ends = [...holes.map(({ fromMs }) => fromMs), span.toMs];
    return starts
      .map((fromMs, at) => ({ fromMs, toMs: ends[at] ?? span.toMs }))
      .filter(({ fromMs, toMs }) => fromMs < toMs);
  });
}

/** Time of a union, milliseconds. */
export function lengthOfSpans(spans: readonly TimeSpan[]): number {
  return spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
