import { type ReactNode, useId } from "react";

/** A card with a small heading: one question answered. */
export function Tile(props: { readonly title: string; readonly className?: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={props.className ? `tile ${props.className}` : "tile"} aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </section>
  );
}
