import { type ClusterError, type ErrorCode, PlimsollError, type ReportedError, reportError } from "@plimsoll/contracts";

/** Collects what went wrong in one cluster, so that the rest goes on. */
export interface ErrorLog {
  /** What `read` returns; undefined when it throws a `PlimsollError`, which is kept. Anything else is a defect and passes. */
  readonly attempt: <T>(read: () => T) => T | undefined;
  readonly add: (error: ReportedError) => void;
  /** Every error once, those of one code beyond the first 20 as one. */
  readonly all: () => readonly ClusterError[];
}

const MOST_PER_CODE = 20;

/** An empty log of the cluster called `cluster`. */
export function createErrorLog(cluster: string): ErrorLog {
  const byCode = new Map<ErrorCode, Map<string, ReportedError>>();
  const add = (error: ReportedError): void => {
    const held = byCode.get(error.code) ?? new Map<string, ReportedError>();
    byCode.set(error.code, held.set(error.message, error));
  };
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof PlimsollError)) throw thrown;
      add(reportError(thrown));
      return undefined;
    }
  };
  const all = (): readonly ClusterError[] =>
    [...byCode].flatMap(([code, errors]) => {
      const named = [...errors.values()].slice(0, MOST_PER_CODE);
      const rest = errors.size - named.length;
      return [...named, ...(rest > 0 ? [moreErrors(code, rest)] : [])].map((error) => ({ cluster, ...error }));
    });
  return { attempt, add, all };
}

function moreErrors(code: ErrorCode, count: number): ReportedError {
  const fields = { where: `${count} more`, reason: `the same as those named above (${code})` };
  return reportError(new PlimsollError("object_unusable", fields));
}
