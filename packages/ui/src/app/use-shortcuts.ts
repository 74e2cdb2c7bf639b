import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** Time in which the second key of `g o` must come, in milliseconds. */
const SECOND_KEY_MS = 1_200;

/** What a key does; the event tells when it was pressed. */
type Act = (event: KeyboardEvent) => void;

/** The page's keys: `/`, `j`, `k`, `g o`, `g c`, `?`, Esc. Silent while a person types, and beside Ctrl, Alt and Meta. */
export function useShortcuts(openHelp: () => void): void {
  const navigate = useNavigate();
  const goAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const go: Readonly<Record<string, Act>> = {
      o: () => void navigate({ to: "/" }),
      c: () => void navigate({ to: "/clusters" }),
    };
    const keys: Readonly<Record<string, Act>> = {
      "?": openHelp,
      "/": () => {
        if (!focusSearch()) void navigate({ to: "/clusters", state: { focusSearch: true } });
      },
      j: () => focusRow(1),
      k: () => focusRow(-1),
      g: ({ timeStamp }) => {
        goAt.current = timeStamp;
      },
    };
    const onKey = (event: KeyboardEvent) => {
      if (isNotOurs(event)) return;
      const second = event.timeStamp - goAt.current < SECOND_KEY_MS ? go[event.key] : undefined;
      const act = second ?? keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      goAt.current = Number.NEGATIVE_INFINITY;
      act(event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, openHelp]);
}

/** A key for the browser, for a field (which Esc leaves) or for an open dialog. */
function isNotOurs(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return true;
  }
  return document.querySelector("dialog[open]") !== null;
}

function isTyping(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target.matches("textarea, select, [contenteditable]");
}

/** The view's search field, if it has one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  field?.focus();
  field?.select();
  return field !== null;
}

/** The row `step` further than the one in focus; from outside, the first or the last. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row.matches(":focus"));
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
  rows[next]?.focus();
}
