import type { ErrorComponentProps } from "@tanstack/react-router";
import { ProblemCard } from "../parts/problem-card.tsx";

/** What a view shows that failed by a defect of its own: the rest of the page goes on. */
export function RouteProblem({ error }: ErrorComponentProps) {
  return <ProblemCard problem={error} onRetry={() => location.reload()} />;
}
