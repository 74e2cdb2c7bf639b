/** Outlines on a grid of 20, stroked in the text's colour. */
const PATHS = {
  overview: "M3 11.5a7 7 0 0 1 14 0M10 11.5l3-4M3 15.5h14",
  clusters: "M3.5 4h13v4h-13zM3.5 12h13v4h-13zM6 6h.01M6 14h.01",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4",
  system: "M3 4.5h14v9H3zM7 17h6M10 13.5V17",
  light:
    "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1",
  dark: "M16 12.2A6.8 6.8 0 0 1 7.8 4a6.8 6.8 0 1 0 8.2 8.2z",
  language: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM2.5 10h15M10 2.5c4 4 4 11 0 15M10 2.5c-4 4-4 11 0 15",
  keys: "M2.5 5h15v10h-15zM5.5 8h.01M8.5 8h.01M11.5 8h.01M14.5 8h.01M6.5 12h7",
  leave: "M8 3.5H4v13h4M12.5 6.5L16 10l-3.5 3.5M16 10H8",
  columns: "M3 4h14v12H3zM7.7 4v12M12.3 4v12",
  down: "M6 8l4 4 4-4",
  first: "M15 5l-5 5 5 5M6 5v10",
  previous: "M12.5 5l-5 5 5 5",
  next: "M7.5 5l5 5-5 5",
  clock: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l2.5 2",
  part: "M10 3a7 7 0 1 0 7 7h-7z",
  copy: "M7 7h9v9H7zM4 13V4h9",
  check: "M4 10.5l4 4 8-9",
  problem: "M10 3l7.5 13.5h-15zM10 8v4M10 14.3v.01",
} as const;
export type IconName = keyof typeof PATHS;

/** A small drawing beside or instead of a word; never the only name of a control. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark on a ship's side: how deep it may be loaded. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 64 48" aria-hidden="true">
      <circle cx="32" cy="24" r="17" />
      <path d="M3 24H61" />
    </svg>
  );
}
