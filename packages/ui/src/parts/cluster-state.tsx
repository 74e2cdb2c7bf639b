import type { ClusterView } from "@plimsoll/contracts/rest";
import type { ClusterRecord } from "../api/cluster-record.ts";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { Age } from "./age.tsx";
import { StateMark, toneOf } from "./state-mark.tsx";

/**
 * What is heard of a cluster, since the last beat, and its health: two states, never mixed. Health that is unknown because
 * nothing is heard is not said twice.
 */
export function ClusterState(props: { readonly cluster: ClusterView; readonly record: ClusterRecord }) {
  const { t, format } = useSpeech();
  const { state, since, lastBeatAt } = props.cluster.connectivity;
  const { health_status: health, health_reasons: reasons } = props.record;
  return (
    <span className="state">
      <span
        className={`state-line tone-${toneOf(state)}`}
        title={`${stateWord(t, state)}, ${t.problem.since(format.instant(since))}`}
      >
        <StateMark state={state} />
        {stateWord(t, state)}
        <span className="muted">
          {" "}
          <Age
            time={lastBeatAt}
            title={`${t.cluster.lastBeat}: ${lastBeatAt === null ? t.cluster.never : format.instant(lastBeatAt)}`}
          />
        </span>
      </span>
      {(state === "online" || state === "late") && (
        <span className={`state-line tone-${toneOf(health)}`} title={reasons.join("\n") || undefined}>
          <StateMark state={health} />
          {stateWord(t, health)}
        </span>
      )}
    </span>
  );
}
