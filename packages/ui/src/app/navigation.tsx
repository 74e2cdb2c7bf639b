import { Link } from "@tanstack/react-router";
import { useSpeech } from "../i18n/language.tsx";
import { Icon, type IconName, Mark } from "../parts/icon.tsx";

/** The views in their order. A new view is one more entry. */
const VIEWS = [
  { to: "/", name: "overview" },
  { to: "/clusters", name: "clusters" },
] as const satisfies readonly { to: string; name: IconName }[];

/** The way between the views. */
export function Navigation() {
  const { t } = useSpeech();
  return (
    <nav aria-label={t.app.navigation}>
      <Link to="/" className="brand" aria-label={`Plimsoll: ${t.app.overview}`}>
        <Mark />
        <span aria-hidden="true">Plimsoll</span>
      </Link>
      <ul>
        {VIEWS.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }} className="view">
              <Icon name={name} size={20} />
              {t.app[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
