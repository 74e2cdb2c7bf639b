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
    const close = ({ target }: Event, isElsewhere: (menu: Node, target: Node) => boolean) => {
      const menu = details.current;
      if (menu?.open && target instanceof Node && isElsewhere(menu, target)) menu.open = false;
    };
    const onPress = (event: Event) => close(event, (menu, target) => !menu.contains(target));
    // A press on the panel's text puts the focus on what is around the menu: that is not elsewhere.
    const onFocus = (event: Event) => close(event, (menu, target) => !menu.contains(target) && !target.contains(menu));
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("focusin", onFocus);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("focusin", onFocus);
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
