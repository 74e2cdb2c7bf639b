import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { overviewQuery } from "../api/queries.ts";
import { useSpeech } from "../i18n/language.tsx";
import { largestFirst, sortCounts } from "../overview/sort-counts.ts";
import { type ClusterSearch, isNarrowed } from "./cluster-search.ts";
import { FacetMenu } from "./facet-menu.tsx";
import { TypedField } from "./typed-field.tsx";

/** Search, selector, facets, columns: each writes the URL. */
export function FilterBar(props: {
  readonly search: ClusterSearch;
  readonly onChange: (change: Partial<ClusterSearch>) => void;
}) {
  const { t } = useSpeech();
  const { search, onChange } = props;
  const focusSearch = useLocation({ select: ({ state }) => state.focusSearch === true });
  return (
    <search className="filters" aria-label={t.clusters.filters}>
      <TypedField
        label={t.clusters.search}
        hint={t.clusters.searchHint}
        icon="search"
        keyHint="/"
        value={search.q}
        autoFocus={focusSearch}
        onValue={(q) => onChange({ q })}
      />
      <TypedField
        label={t.clusters.selector}
        hint={t.clusters.selectorHint}
        mono
        value={search.scope}
        onValue={(scope) => onChange({ scope })}
      />
      <Facets {...props} />
      {isNarrowed(search) && (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            onChange({
              q: undefined,
              scope: undefined,
              conn: undefined,
              health: undefined,
              type: undefined,
              ver: undefined,
            })
          }
        >
          {t.empty.clear}
        </button>
      )}
    </search>
  );
}

function Facets(props: {
  readonly search: ClusterSearch;
  readonly onChange: (change: Partial<ClusterSearch>) => void;
}) {
  const { t } = useSpeech();
  const { search, onChange } = props;
  const { data } = useQuery(overviewQuery());
  const clusters = data?.body.clusters;
  const versions = data?.body.versions ?? [];
  return (
    <>
      <FacetMenu
        label={t.clusters.connectivity}
        marks
        values={sortCounts(clusters?.byConnectivity ?? {}, ["online", "late", "offline", "never-seen"])}
        chosen={search.conn}
        onChoose={(conn) => onChange({ conn })}
      />
      <FacetMenu
        label={t.clusters.health}
        marks
        values={sortCounts(clusters?.byHealth ?? {}, ["healthy", "degraded", "unhealthy", "unknown"])}
        chosen={search.health}
        onChoose={(health) => onChange({ health })}
      />
      <FacetMenu
        label={t.clusters.type}
        values={largestFirst(clusters?.byType ?? {})}
        chosen={search.type}
        onChoose={(type) => onChange({ type })}
      />
      <FacetMenu
        label={t.clusters.version}
        values={versions.map(({ minor, clusters: count }) => ({ name: minor, count }))}
        chosen={search.ver}
        onChoose={(ver) => onChange({ ver })}
      />
    </>
  );
}
