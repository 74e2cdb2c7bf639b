import type { Overview } from "@plimsoll/contracts/rest";
import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "../api/queries.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Answered } from "../parts/answered.tsx";
import { FirstCluster } from "../parts/empty-state.tsx";
import { AsOf, PageHead } from "../parts/page-head.tsx";
import { CostTile } from "./cost-tile.tsx";
import { ClustersTile, HealthTile, NodesTile } from "./count-tiles.tsx";
import { FullTile } from "./full-tile.tsx";
import { FullestTile, TypesTile, VersionsTile } from "./spread-tiles.tsx";

/** The fleet on one screen: how many clusters and nodes, how full, what it costs, what stands out. */
export function OverviewPage() {
  const { t } = useSpeech();
  const query = useQuery(overviewQuery());
  return (
    <>
      {query.data === undefined && <PageHead title={t.overview.title} />}
      <Answered query={query} waiting={<Waiting />}>
        {(overview) => (
          <>
            <PageHead title={t.overview.title}>
              <AsOf asOf={overview.asOf} />
            </PageHead>
            {overview.clusters.total === 0 ? <FirstCluster /> : <Figures overview={overview} />}
          </>
        )}
      </Answered>
    </>
  );
}

function Figures({ overview }: { readonly overview: Overview }) {
  return (
    <div className="figures">
      <ClustersTile overview={overview} />
      <HealthTile overview={overview} />
      <NodesTile overview={overview} />
      <div className="column">
        <FullTile overview={overview} />
        <FullestTile overview={overview} />
      </div>
      <div className="column">
        <CostTile overview={overview} />
        <div className="pair">
          <VersionsTile overview={overview} />
          <TypesTile overview={overview} />
        </div>
      </div>
    </div>
  );
}

function Waiting() {
  const { t } = useSpeech();
  return (
    <div className="figures" role="status" aria-label={t.app.loading}>
      {["third", "third", "third", "half tall", "half tall"].map((size, index) => (
        // Grey shapes have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={index} className={`tile waiting ${size}`} />
      ))}
    </div>
  );
}
