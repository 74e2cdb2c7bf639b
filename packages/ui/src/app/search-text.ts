/** `?q=eu&sort=-cost` → values. The first of a repeated key counts; empty ones are absent. */
export function parseSearch(text: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(text)) {
    if (value !== "" && !values.has(key)) values.set(key, value);
  }
  return Object.fromEntries(values);
}

/** Values → `?q=eu&type=EKS,GKE`: readable, so commas, colons and selectors' signs stay as they are. */
export function stringifySearch(values: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => `${encodeURIComponent(key)}=${readable(String(value))}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** Signs that need no escape behind the first `=` of a query. */
const PLAIN: Readonly<Record<string, string>> = {
  "%2C": ",",
  "%3A": ":",
  "%2F": "/",
  "%3D": "=",
  "%40": "@",
  "%20": "+",
};

function readable(value: string): string {
  return encodeURIComponent(value).replace(/%(2C|3A|2F|3D|40|20)/g, (escaped) => PLAIN[escaped] ?? escaped);
}
