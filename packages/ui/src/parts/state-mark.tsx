import type { ReactNode } from "react";

/** How a state is drawn: by its form first, its colour second. */
const MARKS: Readonly<Record<string, { readonly tone: Tone; readonly form: ReactNode }>> = {
  online: { tone: "ok", form: <circle cx="6" cy="6" r="4.5" className="fill" /> },
  late: {
    tone: "warn",
    form: (
      <>
        <circle cx="6" cy="6" r="4.5" />
        <path d="M6 1.5a4.5 4.5 0 0 0 0 9z" className="fill" />
      </>
    ),
  },
  offline: { tone: "bad", form: <circle cx="6" cy="6" r="4.5" /> },
  "never-seen": { tone: "none", form: <circle cx="6" cy="6" r="4.5" className="dotted" /> },
  healthy: { tone: "ok", form: <path d="M1.5 6.5l3 3 6-7" /> },
  degraded: { tone: "warn", form: <path d="M6 .8L11.2 6 6 11.2.8 6z" className="fill" /> },
  unhealthy: { tone: "bad", form: <path d="M6 1l5.4 10H.6z" className="fill" /> },
  unknown: { tone: "none", form: <path d="M3.5 4a2.5 2.5 0 1 1 3.6 2.2C6.3 6.7 6 7.2 6 8M6 10.4v.2" /> },
};

/** Colour of a state: said by its mark and its word as well. */
export type Tone = "ok" | "warn" | "bad" | "none";

/** The tone of a state; one that is new has none. */
export function toneOf(state: string): Tone {
  return MARKS[state]?.tone ?? "none";
}

/** The sign of a connectivity or health state. Its word stands beside it. */
export function StateMark({ state }: { readonly state: string }) {
  const mark = MARKS[state] ?? MARKS.unknown;
  return (
    <svg className={`state-mark tone-${mark?.tone}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {mark?.form}
    </svg>
  );
}
