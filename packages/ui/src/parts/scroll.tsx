import type { ReactNode } from "react";

/** Lets a wide table scroll sideways inside its own card, by keys too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
