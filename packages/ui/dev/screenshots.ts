/**
 * `node packages/ui/dev/screenshots.ts FOLDER [FILTER]`: the built page as PNG files, for looking at it: each view at two
 * widths, in both themes and languages, with few and many clusters. FILTER = part of a picture's name.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startFixtureServer } from "./fixture-server.ts";
import { launchChromium } from "./launch-chromium.ts";

const [folder = "screenshots", filter = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const partial = [
  {
    cluster: "lab-deve-15",
    clusterId: "lab-deve-15",
    code: "cluster_forbidden",
    message: "No right to list pods in context lab-deve-15",
    remedy: "Grant the read rights in deploy/rbac/scan.yaml; until then figures that need pods are unknown",
    since: "2026-11-30T08:12:00Z",
  },
];

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly clusters: number;
  readonly act?: (page: Page) => Promise<void>;
}

const one = "/clusters/01980c2e-7d00-7000-8000-000000000005";
const views: readonly Shot[] = [
  { name: "overview", path: "/", clusters: 20 },
  { name: "clusters", path: "/clusters", clusters: 20 },
  { name: "cluster", path: one, clusters: 20 },
  { name: "overview-1", path: "/", clusters: 1 },
  { name: "overview-200", path: "/", clusters: 200 },
  { name: "clusters-200", path: "/clusters?sort=-cost&rows=25", clusters: 200 },
  { name: "empty", path: "/", clusters: 0 },
  { name: "no-match", path: "/clusters?q=zzz", clusters: 20 },
  { name: "menu", path: "/clusters?type=EKS,GKE", clusters: 20, act: (page) => page.click(".menu >> nth=0") },
  {
    name: "silent",
    path: "/clusters",
    clusters: 20,
    act: async (page) => {
      server.setErrors(partial);
      server.setFailure({ path: "/api/v1/clusters", status: 503, code: "hub_busy" });
      await page.waitForSelector(".problem", { timeout: 15_000 });
    },
  },
  {
    name: "failed",
    path: "/clusters?q=failing",
    clusters: 20,
    act: async (page) => {
      server.setFailure({ path: "/api/v1/clusters", status: 503, code: "hub_busy" });
      await page.goto(`${server.url}/clusters?sort=-idle#token=${server.token}`);
      await page.reload();
      await page.waitForSelector(".problem", { timeout: 15_000 });
    },
  },
  {
    name: "sign-in",
    path: "/",
    clusters: 20,
    act: async (page) => {
      await page.click(".tools button >> nth=3");
      await page.fill("#token", "wrong");
      await page.click("button[type=submit]");
      await page.waitForSelector("#token-refused");
    },
  },
  { name: "help", path: "/", clusters: 20, act: (page) => page.keyboard.press("?") },
];
const forms = [
  { form: "light", width: 1280, colorScheme: "light", locale: "en-US" },
  { form: "dark", width: 1280, colorScheme: "dark", locale: "en-US" },
  { form: "zh", width: 1280, colorScheme: "light", locale: "zh-CN" },
  { form: "narrow", width: 420, colorScheme: "light", locale: "en-US" },
  { form: "narrow-zh-dark", width: 420, colorScheme: "dark", locale: "zh-CN" },
] as const;

const server = await startFixtureServer({ clusters: 20, simulated: true });
const browser = await launchChromium();
for (const { form, width, colorScheme, locale } of forms) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, locale });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.error(message.text(), message.location()));
  page.on("pageerror", (error) => console.error(error));
  for (const shot of views) {
    const name = `${shot.name}.${form}`;
    if (!name.includes(filter)) continue;
    server.setClusters(shot.clusters);
    server.setFailure(null);
    server.setErrors([]);
    await page.goto("about:blank");
    await page.goto(`${server.url}${shot.path}#token=${server.token}`);
    await page.waitForSelector("main h1, main h2");
    await page.waitForSelector(".waiting", { state: "detached" });
    await page.waitForTimeout(150);
    await shot.act?.(page);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }
  await context.close();
}
await browser.close();
await server.stop();
