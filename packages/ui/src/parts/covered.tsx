import type { Coverage } from "@plimsoll/contracts/rest";
import { coveredPercent, lostPercent } from "../format/coverage.ts";
import type { Messages } from "../i18n/en.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Icon } from "./icon.tsx";

/**
 * How much of a figure is backed by facts, where that is not all of it: the percentage, and why on hover. Nothing when all of
 * it is; where nothing was expected it is unknown, which is neither.
 */
export function CoveredChip({ coverage }: { readonly coverage: Coverage }) {
  const { t } = useSpeech();
  if (coverage.fraction === 1) return null;
  const percent = coveredPercent(coverage);
  return (
    <span className="chip covered" title={percent === null ? t.coverage.unknown : sentence(t, coverage, percent)}>
      <Icon name="part" size={13} />
      {percent ?? t.coverage.unknown}
    </span>
  );
}

/** The same as a footnote with its reasons, for whoever has no pointer; below a figure with room. */
export function CoveredNote({ coverage }: { readonly coverage: Coverage }) {
  const { t } = useSpeech();
  if (coverage.fraction === 1) return null;
  const percent = coveredPercent(coverage);
  return (
    <p className="sub covered-note">
      <Icon name="part" size={13} /> {percent === null ? t.coverage.unknown : sentence(t, coverage, percent)}
    </p>
  );
}

/** `93.2% backed by facts …: agent down 5.8% · spool full 1.0%`. */
function sentence(t: Messages, { reasons }: Coverage, percent: string): string {
  const words: Readonly<Record<string, string>> = t.coverage.reasons;
  const lost = reasons.map(
    ({ reason, fraction }) => `${words[reason] ?? reason.replaceAll("_", " ")} ${lostPercent(fraction)}`,
  );
  return t.coverage.backed(percent, lost.join(" · "));
}
