/** Fields of a log line: figures and words, never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Takes one line per event. Must not throw. */
export type AgentLog = (level: "info" | "warn" | "error", event: string, fields?: LogFields) => void;

/** Lines of JSON for `write`, each with the time of `now`: `{"at":"…","level":"info","event":"joined",…}`. */
export function jsonLog(write: (line: string) => void, now: () => number): AgentLog {
  return (level, event, fields = {}) =>
    write(`${JSON.stringify({ at: new Date(now()).toISOString(), level, event, ...fields })}\n`);
}

/** Takes nothing down. */
export const silentLog: AgentLog = () => {};
