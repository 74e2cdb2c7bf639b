import type { Clock } from "@plimsoll/collect";
import { reportError } from "@plimsoll/contracts";

/** What one check found. */
interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** For people: why not, or a figure. */
  readonly message: string;
}

/** What all checks of a kind found. */
export interface HealthAnswer {
  readonly status: "ok" | "failing";
  readonly checks: readonly CheckResult[];
}

/** A check: gives a message when all is well, throws when it is not. */
export type Check = () => Promise<string> | string;

/** A check that does not answer within this is failing, milliseconds. */
const CHECK_DEADLINE_MS = 2_000;

/** Runs named checks side by side. */
export async function runChecks(checks: Readonly<Record<string, Check>>, clock: Clock): Promise<HealthAnswer> {
  const results = await Promise.all(Object.entries(checks).map(([name, check]) => runCheck(name, check, clock)));
  return { status: results.every(({ ok }) => ok) ? "ok" : "failing", checks: results };
}

async function runCheck(name: string, check: Check, clock: Clock): Promise<CheckResult> {
  let cancel: () => void = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.setTimer(CHECK_DEADLINE_MS, () => reject(new Error("it does not answer")));
  });
  try {
    return { name, ok: true, message: await Promise.race([Promise.resolve().then(check), late]) };
  } catch (error) {
    const { code, message } = reportError(error);
    return { name, ok: false, message: code === "internal" && error instanceof Error ? error.message : message };
  } finally {
    cancel();
  }
}
