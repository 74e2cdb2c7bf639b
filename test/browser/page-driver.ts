import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";

/** A hub, or what stands in for one. */
export interface Served {
  readonly url: string;
  readonly token: string;
}

/** How a page is looked at. */
export interface Look {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly locale?: string;
  /** Done before the first address is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/** A signed-in page and what went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console and of scripts, broken content policies among them. Refused requests are left out. */
  readonly faults: readonly string[];
}

/** Opens an address signed in. */
export async function openPage(browser: Browser, server: Served, path: string, look: Look = {}): Promise<OpenPage> {
  const { colorScheme = "light", width = 1280, locale = "en-US" } = look;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    locale,
    reducedMotion: "reduce",
  });
  await look.prepare?.(context);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  await page.goto(`${server.url}${path}#token=${server.token}`);
  await settled(page);
  return { page, context, faults };
}

/** The text of an element as it is laid out: what is hidden is not in it. */
export async function shown(element: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: the layout is what is looked at
  return (await element.innerText()).trim();
}

/** Until the view shows figures instead of grey shapes. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await page.locator(".waiting").first().waitFor({ state: "detached" });
}

/** Rules that count: WCAG 2.2 A and AA, and axe's own advice. */
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const ONE_LINE_EACH = "r.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 160)))";

/** What axe finds, as `rule: element`. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(AXE_TAGS)} }).then((r) => ${ONE_LINE_EACH})`;
  const found: unknown = await page.evaluate(run);
  if (!Array.isArray(found)) throw new Error("axe did not run");
  return found.map(String);
}

/**
 * From now on each question of the page is answered by the hub's first answer to it, so that figures that live stand still.
 * Gives the answers by path and query.
 */
export async function freezeAnswers(context: BrowserContext): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>();
  await context.route("**/api/v1/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const path = pathname + search;
    if (!answers.has(path)) answers.set(path, await (await route.fetch()).json());
    await route.fulfill({ json: answers.get(path) });
  });
  return answers;
}

/** The hub's answer to a path, parsed. */
export async function ask<T>(server: Served, schema: { parse(value: unknown): T }, path: string): Promise<T> {
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  return schema.parse(await response.json());
}
