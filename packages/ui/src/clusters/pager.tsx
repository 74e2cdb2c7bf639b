import { Link, useCanGoBack, useRouter } from "@tanstack/react-router";
import { useSpeech } from "../i18n/language.tsx";
import { Icon } from "../parts/icon.tsx";
import { type ClusterSearch, PAGE_SIZES, pageSizeOf, withChange } from "./cluster-search.ts";

/** Where in the list this page is, and the way on. The hub pages by cursor: the page before is the one in the history. */
export function Pager(props: {
  readonly search: ClusterSearch;
  readonly shown: number;
  readonly total: number;
  readonly next: string | null;
}) {
  const { t, format } = useSpeech();
  const { search, shown, total, next } = props;
  const size = pageSizeOf(search);
  const page = search.page ?? 1;
  const from = (page - 1) * size;
  return (
    <nav className="pager" aria-label={t.clusters.title}>
      <span className="muted">
        {t.clusters.range(format.count(shown === 0 ? 0 : from + 1), format.count(from + shown), format.count(total))}
      </span>
      <span className="sizes">
        <span className="muted">{t.clusters.rows}</span>
        {PAGE_SIZES.map((rows) => (
          <Link
            key={rows}
            to="/clusters"
            search={withChange(search, { rows })}
            aria-current={rows === size ? "true" : undefined}
          >
            {rows}
          </Link>
        ))}
      </span>
      <span className="turn">
        {page > 1 && (
          <>
            <Link
              to="/clusters"
              search={withChange(search, {})}
              className="control"
              aria-label={t.clusters.first}
              title={t.clusters.first}
            >
              <Icon name="first" size={16} />
            </Link>
            <PreviousPage />
          </>
        )}
        {next !== null && (
          <Link to="/clusters" search={{ ...search, page: page + 1, at: next }} className="control" rel="next">
            {t.clusters.next} <Icon name="next" size={16} />
          </Link>
        )}
      </span>
    </nav>
  );
}

/** Not there in a page that was opened by its address: nothing stands before it in the history. */
function PreviousPage() {
  const { t } = useSpeech();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  if (!canGoBack) return null;
  return (
    <button type="button" className="control" onClick={() => router.history.back()}>
      <Icon name="previous" size={16} /> {t.clusters.previous}
    </button>
  );
}
