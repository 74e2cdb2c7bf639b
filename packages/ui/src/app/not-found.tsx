import { Link } from "@tanstack/react-router";
import { useSpeech } from "../i18n/language.tsx";

/** What an address shows that leads nowhere. */
export function NotFound() {
  const { t } = useSpeech();
  return (
    <div className="empty">
      <h1>{t.problem.notFound}</h1>
      <p>
        <Link to="/">{t.problem.backHome}</Link>
      </p>
    </div>
  );
}
