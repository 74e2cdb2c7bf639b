import { pino } from "pino";

/** Fields of a log line: figures and words, never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Takes one line per event. Must not throw. */
export type HubLog = (level: "info" | "warn" | "error", event: string, fields?: LogFields) => void;

/** Lines of JSON on standard error. */
export function stderrLog(): HubLog {
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "event" },
    pino.destination(2),
  );
  return (level, event, fields = {}) => logger[level](fields, event);
}

/** Takes nothing down. */
export const silentLog: HubLog = () => {};
