import type { Overview } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { Tile } from "../parts/tile.tsx";
import { sortCounts } from "./sort-counts.ts";

interface OfOverview {
  readonly overview: Overview;
}

/** Connectivity and health from good to unknown; a new state comes behind. */
const CONNECTIVITY_ORDER = ["online", "late", "offline", "never-seen"];
const HEALTH_ORDER = ["healthy", "degraded", "unhealthy", "unknown"];

/** How many clusters there are, by connectivity, and how many of them the other figures cover. */
export function ClustersTile({ overview }: OfOverview) {
  const { t, format } = useSpeech();
  const { clusters, reporting } = overview;
  return (
    <Tile title={t.overview.clusters} className="third">
      <p className="big">
        <Link to="/clusters" className="figure">
          {format.count(clusters.total)}
        </Link>
        <span className="of"> {t.overview.registered(clusters.total)}</span>
      </p>
      <StateCounts
        counts={clusters.byConnectivity}
        order={CONNECTIVITY_ORDER}
        by="conn"
        label={t.overview.byConnectivity}
      />
      <p className="sub">{t.overview.reporting(format.count(reporting.clusters), format.count(reporting.of))}</p>
    </Tile>
  );
}

/** Clusters by health: counts per state, never one worst colour. */
export function HealthTile({ overview }: OfOverview) {
  const { t, format } = useSpeech();
  const { byHealth, total } = overview.clusters;
  return (
    <Tile title={t.overview.health} className="third">
      <p className="big">
        <Link to="/clusters" search={{ health: "healthy" }} className="figure">
          {format.count(byHealth.healthy ?? 0)}
        </Link>
        <span className="of"> {t.overview.ofHealthy(format.count(total))}</span>
      </p>
      <StateCounts counts={byHealth} order={HEALTH_ORDER} by="health" label={t.overview.byHealth} />
    </Tile>
  );
}

function StateCounts(props: {
  readonly counts: Readonly<Record<string, number>>;
  readonly order: readonly string[];
  readonly by: "conn" | "health";
  readonly label: string;
}) {
  const { t, format } = useSpeech();
  const counts = sortCounts(props.counts, props.order);
  return (
    <>
      <SegmentBar segments={counts.map(({ name, count }) => ({ kind: `is-${name}`, size: count }))} />
      <ul className="states" aria-label={props.label}>
        {counts.map(({ name, count }) => (
          <li key={name}>
            <Link to="/clusters" search={{ [props.by]: name }} className="figure">
              <StateMark state={name} />
              <b>{format.count(count)}</b> {stateWord(t, name)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Nodes in service, of all. */
export function NodesTile({ overview }: OfOverview) {
  const { t, format } = useSpeech();
  const { total, schedulable } = overview.nodes;
  const out = total - schedulable;
  return (
    <Tile title={t.overview.nodes} className="third">
      <p className="big">
        <Link to="/clusters" search={{ sort: "-nodes" }} className="figure">
          {format.count(schedulable)}
        </Link>
        <span className="of"> {t.overview.inService(format.count(total))}</span>
      </p>
      <SegmentBar
        segments={[
          { kind: "is-online", size: schedulable },
          { kind: "is-out", size: out },
        ]}
      />
      <p className="sub">{out === 0 ? t.overview.allInService : t.overview.outOfService(out, format.count(out))}</p>
    </Tile>
  );
}
