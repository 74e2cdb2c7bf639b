/** What is kept: `local` for good (theme, language), `session` until the tab is closed (token). */
export type KeptWhere = "local" | "session";

function storage(where: KeptWhere): Storage {
  return where === "local" ? localStorage : sessionStorage;
}

/** A kept value; null when there is none, or the browser keeps nothing. */
export function readKept(where: KeptWhere, key: string): string | null {
  try {
    return storage(where).getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value, or forgets it (`null`). A browser that keeps nothing is no error: the choice lasts until reload. */
export function writeKept(where: KeptWhere, key: string, value: string | null): void {
  try {
    if (value === null) storage(where).removeItem(key);
    else storage(where).setItem(key, value);
  } catch {
    // Storage is switched off or full.
  }
}
