/** Rows by their figure, the largest first; what is unknown comes last. Rows of one figure stay in their order. */
export function largestFirst<Row>(rows: readonly Row[], figureOf: (row: Row) => bigint | number | null): Row[] {
  return rows.toSorted((a, b) => {
    const [left, right] = [figureOf(a), figureOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return left < right ? 1 : left > right ? -1 : 0;
  });
}
