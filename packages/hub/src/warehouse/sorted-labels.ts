/** A label set as JSON text with sorted keys: equal sets are equal texts. */
export function sortedLabels(labels: Readonly<Record<string, string>>): string {
  const keys = Object.keys(labels).sort();
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, labels[key]])));
}
