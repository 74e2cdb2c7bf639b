import { decimalsFor } from "../format/formatter.ts";
import { UNKNOWN } from "../format/percent.ts";
import { useSpeech } from "../i18n/language.tsx";

/** Money with its currency's code; hovering shows it to the last digit. `null` is unknown, never nothing. */
export function Price(props: {
  readonly currency: string;
  readonly amount: string | null;
  readonly decimals?: number;
}) {
  const { format, t } = useSpeech();
  const { currency, amount, decimals = decimalsFor(props.amount) } = props;
  if (amount === null) return <span title={t.app.unknown}>{UNKNOWN}</span>;
  return (
    <span className="price" title={`${currency} ${amount}`}>
      <span className="cur">{currency}</span> {format.amount(amount, decimals)}
    </span>
  );
}
