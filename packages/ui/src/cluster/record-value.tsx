import { UNKNOWN } from "../format/percent.ts";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { Breakable } from "../parts/breakable.tsx";

/** Fields whose value is one of the states that have a word in every language. */
const STATES: ReadonlySet<string> = new Set(["health_status", "connectivity", "environment"]);

/** A value of the record: text, number, moment, list, or counts per value. Unknown is a dash. */
export function RecordValue({ field, value }: { readonly field: string; readonly value: unknown }) {
  const { t, format } = useSpeech();
  if (value === null || value === undefined || value === "") return <span title={t.app.unknown}>{UNKNOWN}</span>;
  if (typeof value === "number") return format.count(Math.trunc(value));
  if (typeof value === "string") return <TextValue field={field} text={value} />;
  const entries = Array.isArray(value) ? value.map((item) => [String(item), null] as const) : pairs(value);
  if (entries.length === 0) return <span className="muted">{field === "labels" ? t.cluster.noLabels : UNKNOWN}</span>;
  return (
    <ul className="values">
      {entries.map(([name, more]) => (
        <li key={name}>
          <Breakable text={name} />
          {more !== null && (
            <span className="muted">
              {field === "labels" ? "=" : " × "}
              {more}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function TextValue({ field, text }: { readonly field: string; readonly text: string }) {
  const { t, format } = useSpeech();
  if (STATES.has(field)) return stateWord(t, text);
  return field.endsWith("_at") ? format.instant(text) : <Breakable text={text} />;
}

function pairs(value: unknown): (readonly [string, string])[] {
  return typeof value === "object" && value !== null
    ? Object.entries(value).map(([name, more]) => [name, String(more)] as const)
    : [[String(value), ""]];
}
