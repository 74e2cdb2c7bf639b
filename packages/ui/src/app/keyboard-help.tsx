import type { Ref } from "react";
import { useSpeech } from "../i18n/language.tsx";

/** The list of keys; opened by `?`, closed by Esc, focus goes back to where it came from (the browser's own dialog). */
export function KeyboardHelp({ ref }: { readonly ref: Ref<HTMLDialogElement> }) {
  const { t } = useSpeech();
  const keys: readonly (readonly [readonly string[], string])[] = [
    [["/"], t.keys.search],
    [["j", "k"], t.keys.rows],
    [["Enter"], t.keys.open],
    [["g", "o"], t.keys.overview],
    [["g", "c"], t.keys.clusters],
    [["Esc"], t.keys.leave],
    [["?"], t.keys.help],
  ];
  return (
    <dialog ref={ref} className="help" aria-labelledby="help-title">
      <h2 id="help-title">{t.keys.title}</h2>
      <dl>
        {keys.map(([pressed, meaning]) => (
          <div key={meaning}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">{t.keys.close}</button>
      </form>
    </dialog>
  );
}
