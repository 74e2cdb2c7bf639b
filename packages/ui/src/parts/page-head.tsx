import { type ReactNode, useEffect } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { useHubNow } from "./answer-time.tsx";

/** Title of a view, also of the tab; what belongs beside it at the right. */
export function PageHead(props: { readonly title: string; readonly children?: ReactNode }) {
  const { title } = props;
  useEffect(() => {
    document.title = `${title} · Plimsoll`;
  }, [title]);
  return (
    <header className="page-head">
      <h1>{title}</h1>
      {props.children}
    </header>
  );
}

/** The moment on the hub's clock that the view's figures are of, and how long ago that is. */
export function AsOf({ asOf }: { readonly asOf: string }) {
  const { t, format } = useSpeech();
  const seconds = Math.max(0, Math.floor((useHubNow(1) - Date.parse(asOf)) / 1000));
  return (
    <p className="as-of">
      {t.app.asOf(format.instant(asOf))} · {t.app.ago(format.age(seconds))}
    </p>
  );
}
