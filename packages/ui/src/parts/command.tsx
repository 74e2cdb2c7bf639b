import { useEffect, useState } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Icon } from "./icon.tsx";

/** A command to type or copy. */
export function Command({ text }: { readonly text: string }) {
  const { t } = useSpeech();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      // Not allowed here: the text can still be selected.
      () => undefined,
    );
  return (
    <span className="command">
      <code>{text}</code>
      <button type="button" className="quiet" onClick={copy} aria-label={`${t.copy.copy}: ${text}`}>
        <Icon name={copied ? "check" : "copy"} size={15} />
        <span aria-live="polite">{copied ? t.copy.copied : t.copy.copy}</span>
      </button>
    </span>
  );
}
