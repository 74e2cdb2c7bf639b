import type { Rate } from "@plimsoll/contracts";
import type { PriceBook, PriceList, UnitRates } from "./price-book.ts";

/** $ per core-hour, GiB-hour and GPU-hour where nothing better is known. Source: the default book of the cost rules. */
export const DEFAULT_RATES: UnitRates = { cpu: rate(31_611n, 6), ram: rate(4_237n, 6), gpu: rate(95n, 2) };

/** The same for spot nodes; there is no default spot price of a GPU. */
export const DEFAULT_SPOT_RATES: UnitRates = { cpu: rate(6_655n, 6), ram: rate(892n, 6), gpu: DEFAULT_RATES.gpu };

/** The last book of every list: it has a price for every node. */
export const DEFAULT_PRICE_BOOK: PriceBook = {
  source: "default",
  ratesOf: (node) =>
    node.spot
      ? { kind: "unit", pricing: "spot", rates: DEFAULT_SPOT_RATES }
      : { kind: "unit", pricing: "on-demand", rates: DEFAULT_RATES },
};

/** Prices when none are given. */
export const DEFAULT_PRICE_LIST: PriceList = { currency: "USD", books: [DEFAULT_PRICE_BOOK] };

function rate(digits: bigint, scale: number): Rate {
  return { digits, scale };
}
