import type { ClusterView } from "@plimsoll/contracts/rest";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ClusterRecord } from "../api/cluster-record.ts";
import { clusterQuery, overviewQuery } from "../api/queries.ts";
import { perMonth } from "../format/money.ts";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { StaleChip, useStale } from "../parts/age.tsx";
import { Answered } from "../parts/answered.tsx";
import { ClusterState } from "../parts/cluster-state.tsx";
import { CostParts } from "../parts/cost-parts.tsx";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Price } from "../parts/price.tsx";
import { Tile } from "../parts/tile.tsx";
import { LinkTile } from "./link-tile.tsx";
import { NodesSection } from "./nodes-section.tsx";
import { RecordSection } from "./record-section.tsx";
import { ResourceTable } from "./resource-table.tsx";

const route = getRouteApi("/clusters/$id");

/** One cluster: what it is, how full it is, what it costs, its nodes. */
export function ClusterPage() {
  const { t } = useSpeech();
  const { id } = route.useParams();
  const query = useQuery(clusterQuery(id));
  return (
    <>
      <Link to="/clusters" className="back">
        <Icon name="previous" size={15} /> {t.cluster.back}
      </Link>
      {query.data === undefined && <PageHead title={id} />}
      <Answered query={query} waiting={<div className="tile waiting list" role="status" aria-label={t.app.loading} />}>
        {(cluster) => <Facts key={cluster.id} cluster={cluster} />}
      </Answered>
    </>
  );
}

function Facts({ cluster }: { readonly cluster: ClusterView }) {
  const { t } = useSpeech();
  const fleet = useQuery(overviewQuery());
  const record = ClusterRecord.parse(cluster.record);
  const stale = useStale(cluster.receivedAt, cluster.connectivity.beatSeconds);
  const environment = record.environment === null ? null : stateWord(t, record.environment);
  return (
    <>
      <PageHead title={cluster.name}>
        <span className="tags">
          {[record.cluster_type, record.region, environment, record.k8s_version]
            .filter((tag) => tag !== null)
            .map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          {cluster.simulated && fleet.data?.body.simulated !== true && (
            <span className="chip">{t.clusters.simulated}</span>
          )}
          {cluster.watermarks !== null && stale && <StaleChip time={cluster.receivedAt} />}
        </span>
        <ClusterState cluster={cluster} record={record} />
      </PageHead>
      {record.health_reasons.length > 0 && (
        <ul className="notice reasons">
          {record.health_reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <div className="figures">
        <ResourceTable cluster={cluster} stale={stale} />
        <ClusterCost cluster={cluster} />
        <LinkTile cluster={cluster} />
      </div>
      <NodesSection cluster={cluster} />
      <RecordSection record={cluster.record} />
    </>
  );
}

function ClusterCost({ cluster: { cost } }: { readonly cluster: ClusterView }) {
  const { t, format } = useSpeech();
  return (
    <Tile title={t.cluster.cost} className="half">
      {cost === null ? (
        <p className="muted">{t.cluster.noCost}</p>
      ) : (
        <>
          <p className="big">
            <Price currency={cost.currency} amount={cost.total} />
            <span className="of"> {t.overview.perHour}</span>
          </p>
          <p className="sub">{t.overview.perMonth(format.price(cost.currency, perMonth(cost.total), 0))}</p>
          <CostParts rate={cost} />
        </>
      )}
    </Tile>
  );
}
