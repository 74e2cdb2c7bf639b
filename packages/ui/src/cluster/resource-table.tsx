import type { ClusterView } from "@plimsoll/contracts/rest";
import { formatPercent } from "../format/percent.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { Tile } from "../parts/tile.tsx";
import { WatermarkBar } from "../parts/watermark-bar.tsx";
import { Band, sharesOf, type WatermarkFigures, wholesOf } from "../parts/watermark-figures.tsx";

/** Every watermark of a cluster with all its figures. */
export function ResourceTable({ cluster, stale }: { readonly cluster: ClusterView; readonly stale: boolean }) {
  const { t } = useSpeech();
  const { watermarks } = cluster;
  const heads = [t.cluster.allocatable, t.cluster.requested, t.cluster.used, t.cluster.limits, t.cluster.pending];
  return (
    <Tile title={t.cluster.howFull} className="full">
      {watermarks === null ? (
        <p className="muted">{t.cluster.noCapacity}</p>
      ) : (
        <Scroll of={t.cluster.howFull}>
          <table className="list resources">
            <thead>
              <tr>
                <th scope="col">{t.cluster.resource}</th>
                <th scope="col" className="barcol">
                  {t.cluster.howFull}
                </th>
                {heads.map((head) => (
                  <th key={head} scope="col" className="num">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {watermarks.map((figures) => (
                <ResourceRow key={figures.resource} figures={figures} stale={stale} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <NodesNote cluster={cluster} />
    </Tile>
  );
}

function ResourceRow({ figures, stale }: { readonly figures: WatermarkFigures; readonly stale: boolean }) {
  const { t } = useSpeech();
  const { allocatable } = figures;
  const shares = sharesOf(figures);
  const whole = wholesOf(figures);
  return (
    <tr data-resource={figures.resource}>
      <th scope="row">{figures.resource}</th>
      <td className="barcol">
        <WatermarkBar {...shares} stale={stale} />
        <Band percent={shares.requested} />
      </td>
      <Figure figures={figures} value={allocatable} />
      <Figure figures={figures} value={figures.requested} share={formatPercent(figures.requested, whole.requested)} />
      <Figure figures={figures} value={figures.used} share={formatPercent(figures.used, whole.used)} />
      <Figure
        figures={figures}
        value={figures.limits}
        share={formatPercent(figures.limits, allocatable)}
        note={figures.limitsPartial ? t.cluster.limitsPartial : undefined}
      />
      <Figure figures={figures} value={figures.pending} />
    </tr>
  );
}

function Figure(props: {
  readonly figures: WatermarkFigures;
  readonly value: string | null;
  readonly share?: string;
  readonly note?: string | undefined;
}) {
  const { format } = useSpeech();
  const { figures, value, share, note } = props;
  return (
    <td className="num" title={format.exactQuantity(figures.unit, value)}>
      {format.quantity(figures.unit, value)}
      {value !== null && share !== undefined && <span className="sub">{share}</span>}
      {note !== undefined && <span className="sub">{note}</span>}
    </td>
  );
}

/** Which nodes the figures are over, and of how many usage is known. */
function NodesNote({ cluster: { nodes } }: { readonly cluster: ClusterView }) {
  const { t, format } = useSpeech();
  if (nodes === null) return null;
  const excluded = Object.entries(nodes.excluded).filter(([, count]) => count > 0);
  return (
    <p className="sub">
      {t.clusters.ofNodes(format.count(nodes.schedulable), format.count(nodes.total))}
      {" · "}
      {t.cluster.usageFrom(format.count(nodes.reportingUsage), format.count(nodes.schedulable))}
      {excluded.length > 0 && (
        <>
          {" · "}
          {t.cluster.excluded}: {excluded.map(([reason, count]) => `${reason} ${format.count(count)}`).join(", ")}
        </>
      )}
    </p>
  );
}
