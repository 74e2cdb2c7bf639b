import { useSyncExternalStore } from "react";
import { readKept, writeKept } from "../session/kept.ts";

/** What a person chose; `system` follows the system's setting. */
export type Theme = "system" | "light" | "dark";

const ORDER: readonly Theme[] = ["system", "light", "dark"];
/** Also read by public/first-paint.js, before this module is loaded. */
const KEPT_AS = "plimsoll.theme";
const listeners = new Set<() => void>();

function current(): Theme {
  const kept = readKept("local", KEPT_AS);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** The theme in use, and a function that goes on to the next one. */
export function useTheme(): { readonly theme: Theme; readonly next: () => void } {
  const theme = useSyncExternalStore(subscribe, current);
  return { theme, next: () => choose(ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? "system") };
}

function choose(theme: Theme): void {
  writeKept("local", KEPT_AS, theme === "system" ? null : theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
