import type { FleetError } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import { useSpeech } from "../i18n/language.tsx";

/** Which clusters an answer lacks, and why: each is a line, none fails the page. */
export function PartialNotice({ errors }: { readonly errors: readonly z.infer<typeof FleetError>[] }) {
  const { t, format } = useSpeech();
  if (errors.length === 0) return null;
  return (
    <details className="partial">
      <summary>{t.problem.partial(errors.length)}</summary>
      <ul>
        {errors.map((error) => (
          <li key={`${error.cluster} ${error.code}`}>
            <b>{error.cluster}</b> <code>{error.code}</code> {error.message}
            {error.since !== null && <> ({t.problem.since(format.instant(error.since))})</>}
            <span className="sub">{error.remedy}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
