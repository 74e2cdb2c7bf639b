import type { Overview } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import { formatPercent } from "../format/percent.ts";
import { WATERMARK_BANDS, WATERMARK_LINES } from "../format/watermark-band.ts";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { Tile } from "../parts/tile.tsx";
import { WatermarkBar } from "../parts/watermark-bar.tsx";
import { Band, exactly, sharesOf, type WatermarkFigures, wholesOf } from "../parts/watermark-figures.tsx";

/** The fleet's watermarks over the clusters that report. */
export function FullTile({ overview }: { readonly overview: Overview }) {
  const { t, format } = useSpeech();
  const { clusters, of } = overview.reporting;
  return (
    <Tile title={t.overview.howFull}>
      {overview.watermarks.length === 0 ? (
        <p className="muted">{t.overview.noWatermarks}</p>
      ) : (
        <>
          <div className="loads">
            {overview.watermarks.map((figures) => (
              <Load key={figures.resource} figures={figures} />
            ))}
          </div>
          <Scale />
        </>
      )}
      <p className="sub reporting">{t.overview.reporting(format.count(clusters), format.count(of))}</p>
    </Tile>
  );
}

function Load({ figures }: { readonly figures: WatermarkFigures }) {
  const { t, format } = useSpeech();
  const { unit, allocatable, pending } = figures;
  const shares = sharesOf(figures);
  const whole = wholesOf(figures);
  return (
    <div className="load" title={exactly(figures, t, format)} data-resource={figures.resource}>
      <div className="load-name">
        <span>{figures.resource}</span>
        <span className="muted">{t.overview.allocatable(format.quantity(unit, allocatable))}</span>
      </div>
      <WatermarkBar {...shares} stale={false} />
      <div className="load-text">
        <span>
          <Link to="/clusters" search={sortOf(figures.resource)} className="figure">
            <b>{formatPercent(figures.requested, whole.requested)}</b> {t.overview.requested}
          </Link>
          {" · "}
          <Band percent={shares.requested} />
        </span>
        <span>
          <b>{formatPercent(figures.used, whole.used)}</b> {t.overview.used}
        </span>
        {pending !== null && BigInt(pending) > 0n && (
          <span className="waiting-pods">{t.overview.pending(format.quantity(unit, pending))}</span>
        )}
      </div>
    </div>
  );
}

/** The list that a resource counts over: the fullest first where there is such an order. */
function sortOf(resource: string) {
  return resource === "cpu" || resource === "memory" ? { sort: `-${resource}` } : {};
}

/** The bands under the bars, and the lines between them. */
function Scale() {
  const { t } = useSpeech();
  return (
    <p className="scale" aria-hidden="true">
      {WATERMARK_BANDS.map((band, index) => {
        const from = WATERMARK_LINES[index - 1] ?? 0;
        const to = WATERMARK_LINES[index] ?? 100;
        return (
          <span key={band} style={{ left: `${from}%`, width: `${to - from}%` }}>
            {stateWord(t, band)}
          </span>
        );
      })}
      {WATERMARK_LINES.map((line) => (
        <i key={line} style={{ left: `${line}%` }}>
          {line}%
        </i>
      ))}
    </p>
  );
}
