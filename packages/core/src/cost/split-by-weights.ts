/**
 * Splits a whole amount by weights so that the parts sum to it exactly: each gets the floor of its share, the units left
 * over go one each to the largest remainders, ties to the earlier part. Part i is within one unit of
 * `amount × weight ÷ Σ weights`. Throws RangeError for a negative amount or weight, or when there is something to split
 * and nothing to split it by.
 */
export function splitByWeights(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (amount < 0n || weights.some((weight) => weight < 0n))
    throw new RangeError("amounts and weights are not negative");
  if (total === 0n) {
    if (amount !== 0n) throw new RangeError("an amount needs at least one weight above zero");
    return weights.map(() => 0n);
  }
  const parts = weights.map((weight) => (amount * weight) / total);
  const left = Number(parts.reduce((rest, part) => rest - part, amount));
  for (const index of largestRemainders(weights, amount, total).slice(0, left))
    parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

function largestRemainders(weights: readonly bigint[], amount: bigint, total: bigint): readonly number[] {
  const remainders = weights.map((weight, index) => ({ index, rest: (amount * weight) % total }));
  return remainders
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
    .map(({ index }) => index);
}
