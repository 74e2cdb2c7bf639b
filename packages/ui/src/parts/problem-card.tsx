import { ApiProblem } from "../api/api-problem.ts";
import type { Messages } from "../i18n/en.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Icon } from "./icon.tsx";

/** What went wrong in place of what is missing: code, request id, remedy and another try. Never a stack trace. */
export function ProblemCard(props: {
  readonly problem: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Age of the figures that are still shown, if any. */
  readonly lastKnown?: string | undefined;
}) {
  const { t } = useSpeech();
  const { problem, onRetry, lastKnown } = props;
  const { title, detail, remedy, code, requestId } = describe(problem, t);
  return (
    <div className="problem" role="alert">
      <Icon name="problem" size={20} />
      <div>
        <p className="problem-title">{title}</p>
        {detail !== null && <p>{detail}</p>}
        <p className="muted">{remedy}</p>
        {lastKnown !== undefined && <p>{t.problem.lastKnown(lastKnown)}</p>}
        <p className="problem-id">
          {t.problem.code} <code>{code}</code>
          {requestId !== null && (
            <>
              {" · "}
              {t.problem.requestId} <code>{requestId}</code>
            </>
          )}
        </p>
      </div>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t.problem.retry}
        </button>
      )}
    </div>
  );
}

interface Described {
  readonly code: string;
  readonly title: string;
  readonly detail: string | null;
  readonly remedy: string;
  readonly requestId: string | null;
}

function describe(problem: unknown, { problem: t }: Messages): Described {
  if (!(problem instanceof ApiProblem)) {
    const detail = problem instanceof Error ? problem.message : null;
    return { code: "page_defect", title: t.defect, detail, remedy: t.defectRemedy, requestId: null };
  }
  const own: Readonly<Record<string, readonly [string, string]>> = {
    hub_unreachable: [t.unreachable, t.unreachableRemedy],
    hub_answer_invalid: [t.invalid, t.invalidRemedy],
    hub_status: [t.notProblem(problem.status ?? 0), t.notProblemRemedy],
  };
  const [title, remedy] = own[problem.code] ?? [problem.title ?? problem.code, problem.remedy ?? ""];
  return { code: problem.code, title, detail: problem.detail, remedy, requestId: problem.requestId };
}
