import { ageSeconds, isStale } from "../format/age.ts";
import { UNKNOWN } from "../format/percent.ts";
import { useSpeech } from "../i18n/language.tsx";
import { useHubNow } from "./answer-time.tsx";
import { Icon } from "./icon.tsx";

/** How long ago `time` was, counting; the moment itself on hover. */
export function Age({ time, title }: { readonly time: string | null; readonly title?: string | undefined }) {
  const { format, t } = useSpeech();
  const seconds = ageSeconds(time, useHubNow(1));
  if (time === null || seconds === null) return <span title={t.app.unknown}>{UNKNOWN}</span>;
  return (
    <time dateTime={time} title={title ?? format.instant(time)}>
      {format.age(seconds)}
    </time>
  );
}

/** Whether figures that came at `time` are stale by now, of a cluster that is heard of every `beatSeconds`. */
export function useStale(time: string | null, beatSeconds: number): boolean {
  return isStale(ageSeconds(time, useHubNow(5)), beatSeconds);
}

/** Says that figures are stale, and how old they are. */
export function StaleChip({ time, title }: { readonly time: string | null; readonly title?: string | undefined }) {
  const { format, t } = useSpeech();
  const seconds = ageSeconds(time, useHubNow(1));
  return (
    <span className="chip stale" title={title ?? (time === null ? t.app.unknown : format.instant(time))}>
      <Icon name="clock" size={13} />
      {seconds === null ? t.app.unknown : t.app.old(format.age(seconds))}
    </span>
  );
}
