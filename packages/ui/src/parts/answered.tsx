import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Answer } from "../api/get-json.ts";
import { useSpeech } from "../i18n/language.tsx";
import { AnswerTime, useHubNow } from "./answer-time.tsx";
import { ProblemCard } from "./problem-card.tsx";

/**
 * Shows an answer of the hub: grey shapes until the first one, a problem card in its place when there is none, and above
 * the last known one when asking again failed.
 */
export function Answered<T>(props: {
  readonly query: UseQueryResult<Answer<T>>;
  readonly waiting: ReactNode;
  readonly children: (body: T) => ReactNode;
}) {
  const { query, waiting, children } = props;
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    return query.error === null ? waiting : <ProblemCard problem={query.error} onRetry={retry} />;
  }
  const { body, asOfMs, fetchedAtMs } = query.data;
  return (
    <AnswerTime asOfMs={asOfMs} fetchedAtMs={fetchedAtMs}>
      {query.error !== null && <StillKnown problem={query.error} asOfMs={asOfMs} onRetry={retry} />}
      {children(body)}
    </AnswerTime>
  );
}

function StillKnown(props: { readonly problem: unknown; readonly asOfMs: number; readonly onRetry: () => void }) {
  const { format } = useSpeech();
  const seconds = Math.floor((useHubNow(1) - props.asOfMs) / 1000);
  return <ProblemCard problem={props.problem} onRetry={props.onRetry} lastKnown={format.age(seconds)} />;
}
