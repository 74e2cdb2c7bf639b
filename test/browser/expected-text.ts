/** How figures must read on the page, worked out here from the API's answer, without the page's own formatter. */
const whole = new Intl.NumberFormat("en-US");

/** `12,345` */
export function countText(count: number): string {
  return whole.format(count);
}

/** A cut share: `47%`; `–` when unknown; `<1%` for a little. Both are whole numbers in decimal digits. */
export function shareText(part: string | null | undefined, of: string | null | undefined): string {
  if (part == null || of == null || of === "0") return "–";
  const percent = (BigInt(part) * 100n) / BigInt(of);
  return percent === 0n && part !== "0" ? "<1%" : `${percent}%`;
}

/** `USD 64.09` for `64.0900001`: rounded to cents, halves away from zero, by digits and not by floats. */
export function priceText(currency: string, amount: string): string {
  const [units = "0", fraction = ""] = amount.split(".");
  const cents = BigInt(units) * 100n + BigInt(fraction.padEnd(2, "0").slice(0, 2));
  const rounded = Number(fraction[2] ?? "0") >= 5 ? cents + 1n : cents;
  return `${currency} ${whole.format(rounded / 100n)}.${String(rounded % 100n).padStart(2, "0")}`;
}
