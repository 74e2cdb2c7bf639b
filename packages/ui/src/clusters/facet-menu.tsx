import { stateWord, useSpeech } from "../i18n/language.tsx";
import { Menu, MenuChoice } from "../parts/menu.tsx";
import { StateMark } from "../parts/state-mark.tsx";

/** A value of a facet and how many clusters of the fleet have it. */
export interface FacetValue {
  readonly name: string;
  readonly count: number;
}

/** Narrows the list to any of the chosen values; counts are of the whole fleet. `marks` = the values are states. */
export function FacetMenu(props: {
  readonly label: string;
  readonly values: readonly FacetValue[];
  readonly chosen: string | undefined;
  readonly marks?: boolean;
  readonly onChoose: (chosen: string | undefined) => void;
}) {
  const { t, format } = useSpeech();
  const { label, values, marks = false, onChoose } = props;
  const chosen = props.chosen?.split(",") ?? [];
  // What the URL asks for stays in sight, also when no cluster has it.
  const missing = chosen.filter((name) => !values.some((value) => value.name === name));
  const word = (name: string) => stateWord(t, name);
  const toggle = (name: string, on: boolean) => {
    const next = on ? [...chosen, name] : chosen.filter((other) => other !== name);
    onChoose(next.length === 0 ? undefined : next.join(","));
  };
  const [first, ...others] = chosen;
  const summary =
    first === undefined ? label : `${label}: ${word(first)}${others.length > 0 ? ` +${others.length}` : ""}`;
  return (
    <Menu label={summary} active={chosen.length > 0}>
      <fieldset>
        <legend>{label}</legend>
        {[...values, ...missing.map((name) => ({ name, count: 0 }))].map(({ name, count }) => (
          <MenuChoice key={name} checked={chosen.includes(name)} onChange={(on) => toggle(name, on)}>
            {marks && <StateMark state={name} />}
            <span className="choice-name">{word(name)}</span>
            <span className="muted num">{format.count(count)}</span>
          </MenuChoice>
        ))}
        <button type="button" className="quiet" disabled={chosen.length === 0} onClick={() => onChoose(undefined)}>
          {t.clusters.any}
        </button>
      </fieldset>
    </Menu>
  );
}
