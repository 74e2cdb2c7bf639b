import type { ClusterView, NodeList, NodeView } from "@plimsoll/contracts/rest";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import { nodesQuery } from "../api/queries.ts";
import { UNKNOWN } from "../format/percent.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Age, useStale } from "../parts/age.tsx";
import { Answered } from "../parts/answered.tsx";
import { Breakable } from "../parts/breakable.tsx";
import { PartialNotice } from "../parts/partial-notice.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { WatermarkView } from "../parts/watermark-figures.tsx";

/** Nodes shown at first, and added by each "show more". The hub gives at most 1,000 in one answer. */
const STEP = 50;
const MOST = 1000;

/** The nodes of a cluster as last sampled. */
export function NodesSection({ cluster }: { readonly cluster: ClusterView }) {
  const { t } = useSpeech();
  const [limit, setLimit] = useState(STEP);
  const query = useQuery(nodesQuery(cluster.id, limit));
  return (
    <section className="part" aria-labelledby="nodes">
      <h2 id="nodes">{t.cluster.nodes}</h2>
      <Answered query={query} waiting={<div className="tile waiting list" role="status" aria-label={t.app.loading} />}>
        {(list) => (
          <>
            <PartialNotice errors={list.errors} />
            {list.items.length === 0 ? <p className="tile muted">{t.cluster.noNodes}</p> : <NodeTable list={list} />}
            <More list={list} limit={limit} onMore={() => setLimit(Math.min(MOST, limit + STEP))} />
          </>
        )}
      </Answered>
    </section>
  );
}

function More(props: { readonly list: z.infer<typeof NodeList>; readonly limit: number; readonly onMore: () => void }) {
  const { t, format } = useSpeech();
  const { list, limit, onMore } = props;
  if (list.items.length >= list.total) return null;
  return (
    <p className="more">
      <span className="muted">{t.cluster.nodesOf(format.count(list.items.length), format.count(list.total))}</span>
      {limit < MOST && (
        <button type="button" onClick={onMore}>
          {t.cluster.moreNodes}
        </button>
      )}
    </p>
  );
}

function NodeTable({ list }: { readonly list: z.infer<typeof NodeList> }) {
  const { t } = useSpeech();
  const heads = [
    t.cluster.node,
    t.cluster.pool,
    t.cluster.zone,
    t.cluster.instanceType,
    t.cluster.cpu,
    t.cluster.memory,
    t.cluster.age,
  ];
  return (
    <Scroll of={t.cluster.nodes}>
      <table className="fleet nodes">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.items.map((node) => (
            <NodeRow key={node.name} node={node} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Readings of nodes come in windows of this length, whatever the cluster's beat. */
const WINDOW_SECONDS = 300;

function NodeRow({ node }: { readonly node: NodeView }) {
  const { t } = useSpeech();
  const stale = useStale(node.observedAt, WINDOW_SECONDS);
  const text = (value: string | null) => (value === null ? UNKNOWN : <Breakable text={value} />);
  return (
    <tr data-node={node.name}>
      <th scope="row">
        <Breakable text={node.name} />
      </th>
      <td data-label={t.cluster.pool}>{text(node.pool)}</td>
      <td data-label={t.cluster.zone}>{text(node.zone)}</td>
      <td data-label={t.cluster.instanceType}>{text(node.instanceType)}</td>
      <td data-label={t.cluster.cpu} className="col-cpu">
        <WatermarkView figures={figuresOf(node, "cpu")} stale={stale} />
      </td>
      <td data-label={t.cluster.memory} className="col-memory">
        <WatermarkView figures={figuresOf(node, "memory")} stale={stale} />
      </td>
      <td data-label={t.cluster.age}>
        <Age time={node.observedAt} />
      </td>
    </tr>
  );
}

/** A node's figures in the form that a watermark is drawn of; undefined where nothing is known. */
function figuresOf(node: NodeView, resource: "cpu" | "memory") {
  const [allocatable, requested, used] =
    resource === "cpu"
      ? [node.cpuAllocatable, node.cpuRequested, node.cpuUsed]
      : [node.memoryAllocatable, node.memoryRequested, node.memoryUsed];
  if (allocatable === null) return undefined;
  const unit = resource === "cpu" ? ("millicores" as const) : ("bytes" as const);
  return { unit, allocatable, requested, used };
}
