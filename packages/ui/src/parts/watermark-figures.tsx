import type { Watermark } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import type { Formatter } from "../format/formatter.ts";
import { formatPercent, percentOf, UNKNOWN } from "../format/percent.ts";
import { bandOf } from "../format/watermark-band.ts";
import type { Messages } from "../i18n/en.ts";
import { stateWord, useSpeech } from "../i18n/language.tsx";
import { type Shares, WatermarkBar } from "./watermark-bar.tsx";

export type WatermarkFigures = z.infer<typeof Watermark>;

/** Signs of the bands that need a look; the others need none. */
const BAND_SIGNS: Readonly<Record<string, string>> = { high: "◆ ", critical: "▲ " };

/** What a watermark is drawn of; figures that a source does not have are left out. */
export type WatermarkShares = Pick<WatermarkFigures, "unit" | "allocatable" | "requested" | "used"> &
  Partial<WatermarkFigures>;

/** What a requested and a used share are of: allocatable of the nodes behind each, else of all. */
export function wholesOf(figures: WatermarkShares) {
  return {
    requested: figures.requestedAllocatable ?? figures.allocatable,
    used: figures.usedAllocatable ?? figures.allocatable,
  };
}

/** The shares of a watermark in percent; `null` = unknown. */
export function sharesOf(figures: WatermarkShares | undefined): Shares {
  if (figures === undefined) return { requested: null, used: null };
  const whole = wholesOf(figures);
  return { requested: percentOf(figures.requested, whole.requested), used: percentOf(figures.used, whole.used) };
}

/**
 * A bar with its figures in words (the first is the requested share, as the column says), every figure exactly on hover.
 * Without figures an outline that says so.
 */
export function WatermarkView(props: { readonly figures: WatermarkShares | undefined; readonly stale: boolean }) {
  const { format, t } = useSpeech();
  const { figures, stale } = props;
  const shares = sharesOf(figures);
  const whole = figures && wholesOf(figures);
  return (
    <span className="wm" title={figures && exactly(figures, t, format)}>
      <WatermarkBar {...shares} stale={stale} />
      <span className="wm-text">
        <span>
          <b>{formatPercent(figures?.requested, whole?.requested)}</b>
          <span className="hidden"> {t.overview.requested}</span> <Band percent={shares.requested} />
        </span>{" "}
        <span>
          <b>{formatPercent(figures?.used, whole?.used)}</b> {t.overview.used}
        </span>
      </span>
    </span>
  );
}

/** The band of a share in words, with a sign where it needs a look. Nothing where the share is unknown. */
export function Band({ percent }: { readonly percent: number | null }) {
  const { t } = useSpeech();
  const band = bandOf(percent);
  if (band === null) return null;
  return (
    <span className={`band ${band}`}>
      {BAND_SIGNS[band]}
      {stateWord(t, band)}
    </span>
  );
}

/** Every figure of a watermark that its source has, for reading and to the last digit. */
export function exactly(figures: WatermarkShares, t: Messages, format: Formatter): string {
  const names = ["capacity", "allocatable", "requested", "used", "limits", "pending"] as const;
  return names
    .flatMap((name) => {
      const value = figures[name];
      if (value === undefined) return [];
      if (value === null) return `${t.cluster[name]} ${UNKNOWN}`;
      return `${t.cluster[name]} ${format.quantity(figures.unit, value)} (${format.exactQuantity(figures.unit, value)})`;
    })
    .join("\n");
}
