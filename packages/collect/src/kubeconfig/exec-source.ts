import { PlimsollError } from "@plimsoll/contracts";
import type { Credential } from "../kube/credential.ts";
import { isTimeout } from "../kube/deadline.ts";
import { type ExecAnswer, type ExecRun, runExecPlugin } from "./exec-credential.ts";

/** Credentials of one plug-in. */
export interface ExecSource {
  /**
   * What it gave last, or the answer of a new run. Rejects with credential_plugin_failed, also when a deadline ends the
   * wait, or with the signal's other reason.
   */
  current(signal: AbortSignal): Promise<Credential>;
  /** Its last answer is no good any more. */
  forget(): void;
  /** Ends a run that is going on. */
  close(): void;
}

/** A plug-in may wait for a person to sign in; longer than this and it is stuck, milliseconds. */
const PLUGIN_LIMIT_MS = 120_000;

/**
 * Credentials of a plug-in: runs it at the first request, then keeps its answer until it expires or the server refuses it.
 * Requests that come meanwhile wait for the same run; one that gives up does not end the run of the others.
 */
export function createExecSource(settings: Omit<ExecRun, "signal">): ExecSource {
  const closed = new AbortController();
  let held: { credential: Credential; expiresAt: number } | undefined;
  let running: Promise<Credential> | undefined;

  const run = async (): Promise<Credential> => {
    const stop = settings.clock.setTimer(PLUGIN_LIMIT_MS, () =>
      closed.abort(failed(settings, `it did not end within ${PLUGIN_LIMIT_MS / 1000} s`)),
    );
    try {
      const answer = await runExecPlugin({ ...settings, signal: closed.signal });
      const credential = toCredential(answer);
      held = { credential, expiresAt: answer.expiresAt ?? Number.POSITIVE_INFINITY };
      return credential;
    } finally {
      stop();
      running = undefined;
    }
  };

  return {
    async current(signal) {
      if (held && held.expiresAt > settings.clock.now()) return held.credential;
      running ??= run();
      return orAbort(running, signal, () => failed(settings, "it had not ended when the time for this cluster was up"));
    },
    forget() {
      held = undefined;
    },
    close: () => closed.abort(new Error("the connection was closed")),
  };
}

function failed({ entry, context }: Pick<ExecRun, "entry" | "context">, reason: string): PlimsollError {
  return new PlimsollError("credential_plugin_failed", { command: entry.command, context, reason });
}

function toCredential({ token, cert, key }: ExecAnswer): Credential {
  return {
    headers: token ? { authorization: `Bearer ${token}` } : undefined,
    clientCertificate: cert && key ? { cert, key } : undefined,
  };
}

/** The promise's outcome, or the signal's reason as soon as it aborts; `late()` when its reason is a deadline. */
function orAbort<T>(promise: Promise<T>, signal: AbortSignal, late: () => PlimsollError): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(isTimeout(signal.reason) ? late() : signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
