import type { ReactNode } from "react";
import { useSpeech } from "../i18n/language.tsx";

/** Lets a wide table scroll sideways inside its own card, by keys too. `of` = what the table is of. */
export function Scroll({ of, children }: { readonly of: string; readonly children: ReactNode }) {
  const { t } = useSpeech();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className="scroll" aria-label={t.app.table(of)} tabIndex={0}>
      {children}
    </section>
  );
}
