/** A metric, or what a recording rule made. */
const NAME = /\b(?:[a-z_]+:)?(?:plimsoll|process|nodejs)_[a-z0-9_]+(?::[a-z0-9_]+)?\b/g;

/** Names of metrics and recording rules in an expression, each once. */
export function namesIn(expression: string): readonly string[] {
  return [...new Set(expression.match(NAME) ?? [])];
}

/** Names of metrics with a value in Prometheus' text; a histogram also under the names of its parts. */
export function metricsIn(text: string): ReadonlySet<string> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Set(lines.map((line) => /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0] ?? ""));
}

/** Names that the text declares, with or without a value. */
export function declaredIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? ""));
}
