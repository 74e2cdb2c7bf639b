/** What stands where a figure is unknown: never 0, never empty. */
export const UNKNOWN = "–";
