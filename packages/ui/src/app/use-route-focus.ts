import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/**
 * Takes the focus along from view to view: to the content of the new one, or, on the way back from a row that was opened,
 * to that row.
 */
export function useRouteFocus(): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const before = useRef(path);
  useEffect(() => {
    const opened = before.current;
    before.current = path;
    if (opened === path) return;
    // After the new view's first frame, when its rows are there.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement?.matches("input")) return;
      const row = [...document.querySelectorAll<HTMLElement>("[data-row]")].find(
        (link) => link.getAttribute("href") === opened,
      );
      (row ?? document.getElementById("content"))?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [path]);
}
