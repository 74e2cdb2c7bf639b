import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from "react";

/** The hub's clock at an answer, and this browser's clock at its arrival. */
interface AnswerClock {
  readonly asOfMs: number;
  readonly fetchedAtMs: number;
}

const AnswerClockContext = createContext<AnswerClock | null>(null);

/** Says of which moment the figures below are; ages go on counting while nothing new comes. */
export function AnswerTime(props: AnswerClock & { readonly children: ReactNode }) {
  const { asOfMs, fetchedAtMs, children } = props;
  const clock = useMemo(() => ({ asOfMs, fetchedAtMs }), [asOfMs, fetchedAtMs]);
  return <AnswerClockContext value={clock}>{children}</AnswerClockContext>;
}

/**
 * The present moment on the hub's clock in milliseconds, renewed each `stepSeconds`: its `asOf` and what has passed since.
 * The browser's clock is used for the difference only: it may be wrong.
 */
export function useHubNow(stepSeconds: number): number {
  const clock = use(AnswerClockContext);
  const stepMs = stepSeconds * 1000;
  const readNow = () => Math.floor(Date.now() / stepMs) * stepMs;
  const nowMs = useSyncExternalStore(subscribe, readNow, readNow);
  if (clock === null) throw new Error("AnswerTime is missing above");
  return clock.asOfMs + Math.max(0, nowMs - clock.fetchedAtMs);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for every age of the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
