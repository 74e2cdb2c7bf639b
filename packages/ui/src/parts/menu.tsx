import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** A button that opens a small panel below it; closed by Esc (focus goes back to the button) and by a press elsewhere. */
export function Menu(props: {
  readonly label: ReactNode;
  readonly icon?: IconName;
  readonly active?: boolean;
  readonly children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = (event: PointerEvent | FocusEvent) => {
      const menu = details.current;
      if (menu?.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !details.current?.open) return;
    event.stopPropagation();
    details.current.open = false;
    details.current.querySelector("summary")?.focus();
  };
  return (
    <details className="menu" ref={details} onKeyDown={onKeyDown}>
      <summary className={props.active ? "control active" : "control"}>
        {props.icon && <Icon name={props.icon} size={16} />}
        <span>{props.label}</span>
        <Icon name="down" size={14} />
      </summary>
      <div className="menu-panel">{props.children}</div>
    </details>
  );
}

/** One choice of several in a menu. */
export function MenuChoice(props: {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {props.children}
    </label>
  );
}
