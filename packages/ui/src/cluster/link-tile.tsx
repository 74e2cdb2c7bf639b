import type { ClusterView } from "@plimsoll/contracts/rest";
import type { ReactNode } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Age } from "../parts/age.tsx";
import { Tile } from "../parts/tile.tsx";

/** How the hub hears of this cluster, and how old what it knows is. */
export function LinkTile({ cluster }: { readonly cluster: ClusterView }) {
  const { t, format } = useSpeech();
  const { beatSeconds, lateAfterSeconds, unknownAfterSeconds, lastBeatAt } = cluster.connectivity;
  const { observedAt, receivedAt } = cluster;
  const both =
    receivedAt === null
      ? undefined
      : [t.cluster.received(format.instant(receivedAt)), observedAt && t.cluster.observed(format.instant(observedAt))]
          .filter(Boolean)
          .join("\n");
  return (
    <Tile title={t.clusters.connectivity} className="half">
      <dl className="pairs">
        <Pair name={t.clusters.column.mode}>{t.cluster[cluster.mode]}</Pair>
        <Pair name={t.cluster.lastBeat}>{lastBeatAt === null ? t.cluster.never : <Ago time={lastBeatAt} />}</Pair>
        <Pair name={t.cluster.reported}>
          {receivedAt === null ? t.cluster.never : <Ago time={receivedAt} title={both} />}
        </Pair>
        <Pair name={t.cluster.id}>
          <code>{cluster.id}</code>
        </Pair>
      </dl>
      <p className="sub">
        {t.cluster.beat(format.age(beatSeconds), format.age(lateAfterSeconds), format.age(unknownAfterSeconds))}
      </p>
    </Tile>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Ago({ time, title }: { readonly time: string; readonly title?: string | undefined }) {
  const { t } = useSpeech();
  const [before, after] = t.app.ago("\u0000").split("\u0000");
  return (
    <>
      {before}
      <Age time={time} title={title} />
      {after}
    </>
  );
}
