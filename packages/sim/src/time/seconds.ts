/** Whole seconds since 1970 UTC. Kubernetes stamps objects in whole seconds; so does everything that happens here. */
export type Seconds = number;

export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;

/** RFC 3339 UTC text in whole seconds, as Kubernetes writes it. */
export function timestamp(at: Seconds): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19)}Z`;
}

/** The last whole second that is not after `date`. */
export function secondsOf(date: Date): Seconds {
  return Math.floor(date.getTime() / 1000);
}
