import { useEffect, useRef, useState } from "react";
import { Icon, type IconName } from "../parts/icon.tsx";

/** Pause in typing after which the list is asked for, in milliseconds. */
const PAUSE_MS = 250;

/** A text field whose value lives in the URL: shown at once, passed on after a pause in typing, by Enter or on leaving. */
export function TypedField(props: {
  readonly label: string;
  readonly hint: string;
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
  readonly icon?: IconName;
  readonly keyHint?: string;
  readonly autoFocus?: boolean;
  readonly mono?: boolean;
}) {
  const { value = "", onValue, autoFocus = false } = props;
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const passed = useRef(value);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  useEffect(() => {
    // Changed from elsewhere (a link, Back): the field follows. What this field passed on itself does not come back.
    if (value === passed.current) return;
    passed.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(pass, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  function pass() {
    const next = typed.trim();
    if (next === passed.current) return;
    passed.current = next;
    onValue(next === "" ? undefined : next);
  }
  return (
    <label className={props.mono ? "field mono" : "field"}>
      {props.icon && <Icon name={props.icon} size={16} />}
      <span className="hidden">{props.label}</span>
      <input
        ref={field}
        type="search"
        value={typed}
        placeholder={props.hint}
        title={props.label}
        spellCheck={false}
        autoComplete="off"
        data-search={props.keyHint ? "" : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={pass}
        onKeyDown={(event) => event.key === "Enter" && pass()}
      />
      {props.keyHint && <kbd>{props.keyHint}</kbd>}
    </label>
  );
}
