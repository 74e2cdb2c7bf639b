import { PlimsollError } from "@plimsoll/contracts";

/** The hub's REST address, checked. Throws `hub_url_invalid`. */
export function parseHubUrl(text: string): URL {
  const url = URL.parse(text);
  const invalid = (reason: string) => new PlimsollError("hub_url_invalid", { url: text, reason });
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) throw invalid("which is no https address");
  if (url.username || url.password) throw invalid("which has a user or password in it");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw invalid("which would send the join token in the clear");
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
