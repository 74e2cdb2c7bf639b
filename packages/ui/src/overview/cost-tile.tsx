import type { Overview } from "@plimsoll/contracts/rest";
import { Link } from "@tanstack/react-router";
import { perMonth } from "../format/money.ts";
import { useSpeech } from "../i18n/language.tsx";
import { CostParts } from "../parts/cost-parts.tsx";
import { Price } from "../parts/price.tsx";
import { Tile } from "../parts/tile.tsx";

/** What the fleet costs an hour, by currency: amounts of different currencies are never added. */
export function CostTile({ overview }: { readonly overview: Overview }) {
  const { t, format } = useSpeech();
  return (
    <Tile title={t.overview.cost}>
      {overview.cost.length === 0 && <p className="muted">{t.overview.noCost}</p>}
      {overview.cost.map((rate) => (
        <div key={rate.currency} className="rate" data-currency={rate.currency}>
          <p className="big">
            <Link to="/clusters" search={{ sort: "-cost" }} className="figure">
              <Price currency={rate.currency} amount={rate.total} />
            </Link>
            <span className="of"> {t.overview.perHour}</span>
          </p>
          <p className="sub">
            {t.overview.perMonth(format.price(rate.currency, perMonth(rate.total), 0))}
            {rate.clusters !== overview.clusters.total && (
              <> · {t.overview.priced(format.count(rate.clusters), format.count(overview.clusters.total))}</>
            )}
          </p>
          <CostParts rate={rate} linked />
        </div>
      ))}
    </Tile>
  );
}
