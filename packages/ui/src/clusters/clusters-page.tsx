import type { ClusterList } from "@plimsoll/contracts/rest";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiProblem } from "../api/api-problem.ts";
import { clustersQuery, overviewQuery } from "../api/queries.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Answered } from "../parts/answered.tsx";
import { FirstCluster } from "../parts/empty-state.tsx";
import { AsOf, PageHead } from "../parts/page-head.tsx";
import { PartialNotice } from "../parts/partial-notice.tsx";
import { type ClusterSearch, filterOf, isNarrowed, withChange } from "./cluster-search.ts";
import { ClusterTable } from "./cluster-table.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { Pager } from "./pager.tsx";

const route = getRouteApi("/clusters");

/** All clusters in a table: the hub filters, sorts and pages, the URL says how. */
export function ClustersPage() {
  const { t } = useSpeech();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(clustersQuery(filterOf(search)));
  useFirstPageWhen(isCursorRefused(query.error), search);
  // Each change of a filter replaces the one before: Back leaves the list, not letter by letter.
  const onChange = (change: Partial<ClusterSearch>) =>
    void navigate({ search: (before) => withChange(before, change), replace: true });
  return (
    <>
      <PageHead title={t.clusters.title} />
      <FilterBar search={search} onChange={onChange} />
      <Answered query={query} waiting={<Waiting />}>
        {(list) => <Found list={list} search={search} waiting={query.isPlaceholderData} onChange={onChange} />}
      </Answered>
    </>
  );
}

/** A cursor is of one list in one order; kept in a bookmark it may have been outlived. */
function isCursorRefused(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.code === "cursor_invalid";
}

/** Goes to the first page instead of showing a problem that a person can only answer by going there. */
function useFirstPageWhen(refused: boolean, search: ClusterSearch): void {
  const navigate = route.useNavigate();
  const wrong = refused && search.at !== undefined;
  useEffect(() => {
    if (wrong) void navigate({ search: (before) => withChange(before, {}), replace: true });
  }, [wrong, navigate]);
}

function Found(props: {
  readonly list: ClusterList;
  readonly search: ClusterSearch;
  readonly waiting: boolean;
  readonly onChange: (change: Partial<ClusterSearch>) => void;
}) {
  const { list, search, waiting, onChange } = props;
  const { t, format } = useSpeech();
  const fleet = useQuery(overviewQuery());
  if (list.total === 0 && !isNarrowed(search) && list.errors.length === 0) return <FirstCluster />;
  return (
    <>
      <div className="list-head">
        <p role="status">{t.clusters.matching(list.total, format.count(list.total))}</p>
        <AsOf asOf={list.asOf} />
        <ColumnMenu search={search} onChange={onChange} />
      </div>
      <PartialNotice errors={list.errors} />
      {list.total === 0 ? (
        <p className="empty">{t.empty.noMatch}</p>
      ) : (
        <>
          <ClusterTable
            clusters={list.items}
            search={search}
            waiting={waiting}
            fleetSimulated={fleet.data?.body.simulated ?? false}
          />
          <Pager search={search} shown={list.items.length} total={list.total} next={list.next} />
        </>
      )}
    </>
  );
}

function Waiting() {
  const { t } = useSpeech();
  return <div className="tile waiting list" role="status" aria-label={t.app.loading} />;
}
