import type { Overview } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { Tile } from "../parts/tile.tsx";
import { WatermarkBar } from "../parts/watermark-bar.tsx";
import { Band } from "../parts/watermark-figures.tsx";
import { largestFirst } from "./sort-counts.ts";

interface OfOverview {
  readonly overview: Overview;
}

/** Minor versions with their clusters, the newest first as the hub has them. */
export function VersionsTile({ overview }: OfOverview) {
  const { t } = useSpeech();
  return (
    <Tile title={t.overview.versions}>
      <Spread
        total={overview.clusters.total}
        rows={overview.versions.map(({ minor, clusters }) => ({
          name: minor,
          count: clusters,
          link: (
            <Link to="/clusters" search={{ ver: minor }} className="figure">
              {stateWord(t, minor)}
            </Link>
          ),
        }))}
      />
    </Tile>
  );
}

/** Kinds of clusters, the most common first. */
export function TypesTile({ overview }: OfOverview) {
  const { t } = useSpeech();
  return (
    <Tile title={t.overview.types}>
      <Spread
        total={overview.clusters.total}
        rows={largestFirst(overview.clusters.byType).map(({ name, count }) => ({
          name,
          count,
          link: (
            <Link to="/clusters" search={{ type: name }} className="figure">
              {name}
            </Link>
          ),
        }))}
      />
    </Tile>
  );
}

interface SpreadRow {
  readonly name: string;
  readonly count: number;
  readonly link: ReactNode;
}

/** Names with their counts; the bar is the count's share of all clusters, not of the largest. */
function Spread({ rows, total }: { readonly rows: readonly SpreadRow[]; readonly total: number }) {
  const { t, format } = useSpeech();
  if (rows.length === 0) return <p className="muted">{t.overview.none}</p>;
  return (
    <ul className="spread">
      {rows.map(({ name, count, link }) => (
        <li key={name}>
          {link}
          <span className="mini" aria-hidden="true">
            <span style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }} />
          </span>
          <b className="num">{format.count(count)}</b>
        </li>
      ))}
    </ul>
  );
}

/** The clusters whose requested cpu is the largest share of what they have. */
export function FullestTile({ overview }: OfOverview) {
  const { t } = useSpeech();
  const { topByRequestedCpu: top } = overview;
  return (
    <Tile title={t.overview.fullest}>
      {top.length === 0 ? (
        <p className="muted">{t.overview.none}</p>
      ) : (
        <ol className="fullest">
          {top.map(({ id, name, percent }) => (
            <li key={id}>
              <span className="load-name">
                <Link to="/clusters/$id" params={{ id }} className="figure">
                  {name}
                </Link>
                <span>
                  <b>{Math.floor(percent)}%</b> <Band percent={percent} />
                </span>
              </span>
              <WatermarkBar requested={percent} used={null} stale={false} />
            </li>
          ))}
        </ol>
      )}
    </Tile>
  );
}
