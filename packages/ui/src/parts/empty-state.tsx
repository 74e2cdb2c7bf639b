import { useSpeech } from "../i18n/language.tsx";
import { Command } from "./command.tsx";

/** What a hub without clusters shows: the next command. */
export function FirstCluster() {
  const { t } = useSpeech();
  return (
    <section className="tile empty">
      <h2>{t.empty.title}</h2>
      <p>{t.empty.join}</p>
      <Command text="plimsoll join NAME" />
      <p>{t.empty.add}</p>
      <Command text="plimsoll add --kubeconfig FILE --context NAME" />
      <p className="muted">{t.empty.appears}</p>
    </section>
  );
}
