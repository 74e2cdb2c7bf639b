import type { CostRate } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import type { z } from "zod";
import { decimalsFor } from "../format/formatter.ts";
import { formatShare, sharePercent } from "../format/money.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Age } from "./age.tsx";
import { CoveredNote } from "./covered.tsx";
import { Price } from "./price.tsx";
import { SegmentBar } from "./segment-bar.tsx";

/** Cost of an hour in its parts. */
export type CostRateFigures = z.infer<typeof CostRate>;

const PARTS = ["workloads", "idle", "system"] as const;

/** The parts that make up an hour's cost, as a bar and as a table whose rows add up to the total; source, age and coverage below. */
export function CostParts({ rate, linked = false }: { readonly rate: CostRateFigures; readonly linked?: boolean }) {
  const { t } = useSpeech();
  const decimals = decimalsFor(rate.total);
  const shares = PARTS.map((part) => ({ part, share: sharePercent(rate[part], rate.total) }));
  return (
    <>
      <SegmentBar segments={shares.map(({ part, share }) => ({ kind: `cost-${part}`, size: share ?? 0 }))} />
      <table className="parts">
        <tbody>
          {shares.map(({ part, share }) => (
            <tr key={part} data-part={part}>
              <th scope="row">
                <span className={`key cost-${part}`} aria-hidden="true" />
                {linked ? (
                  <Link to="/clusters" search={{ sort: part === "idle" ? "-idle" : "-cost" }} className="figure">
                    {t.overview[part]}
                  </Link>
                ) : (
                  t.overview[part]
                )}
              </th>
              <td className="num">
                <Price currency={rate.currency} amount={rate[part]} decimals={decimals} />
              </td>
              <td className="num share">{share === null ? "" : formatShare(share)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr data-part="total">
            <th scope="row">{t.overview.total}</th>
            <td className="num">
              <Price currency={rate.currency} amount={rate.total} decimals={decimals} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
      <p className="sub">
        {t.overview.prices(rate.priceSource)} · <AgeOf time={rate.asOf} />
      </p>
      <CoveredNote coverage={rate.coverage} />
    </>
  );
}

function AgeOf({ time }: { readonly time: string }) {
  const { t } = useSpeech();
  // The word order around the age is the language's.
  const [before, after] = t.app.ago("\u0000").split("\u0000");
  return (
    <>
      {before}
      <Age time={time} />
      {after}
    </>
  );
}
