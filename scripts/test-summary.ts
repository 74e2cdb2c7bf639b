/** What one suite counted. A check (types, lint …) counts as one test. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly notes: readonly string[];
}

/** Sums suites. With `strict` (CI) each skipped test, and each suite that ran no test, counts as one failure. */
export function summarize(results: readonly SuiteResult[], strict: boolean): Summary {
  const notes: string[] = [];
  let passed = 0;
  let failed = 0;
  for (const result of results) {
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) notes.push(`${result.name}: ${result.failed} failed`);
    if (result.skipped > 0) notes.push(`${result.name}: ${result.skipped} skipped`);
    if (strict) failed += result.skipped;
    if (strict && result.passed + result.failed === 0) {
      notes.push(`${result.name}: ran no test`);
      failed += 1;
    }
  }
  return { passed, failed, notes };
}
