import { ClusterList, Overview } from "@plimsoll/contracts/rest";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FixtureServer, startFixtureServer } from "../../packages/ui/dev/fixture-server.ts";
import { launchChromium } from "../../packages/ui/dev/launch-chromium.ts";
import { pageSizes, tooLarge } from "../../packages/ui/dev/page-sizes.ts";
import { type BuiltPage, buildPage } from "./built-page.ts";
import { shareText } from "./expected-text.ts";
import { expectClusterRows, expectOverview, read, text, tile } from "./figures-on-page.ts";
import { ask, axeFaults, type Look, type OpenPage, openPage, settled, shown } from "./page-driver.ts";

const FULL_CLUSTER = "/clusters/01980c2e-7d00-7000-8000-000000000005";
const OFFLINE_CLUSTER = "ml-deve-10";
const NEVER_SEEN_CLUSTER = "media-stag-18";

let built: BuiltPage;
let browser: Browser;
let server: FixtureServer;
const opened: OpenPage[] = [];

beforeAll(async () => {
  built = await buildPage();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  built?.remove();
});
beforeEach(async () => {
  server = await startFixtureServer({ clusters: 20, simulated: true, pageDir: built.folder });
});
afterEach(async () => {
  const faults = opened.flatMap((each) => each.faults);
  await Promise.all(opened.splice(0).map(({ context }) => context.close()));
  await server.stop();
  expect(faults).toEqual([]);
});

async function open(path: string, look?: Look): Promise<Page> {
  const page = await openPage(browser, server, path, look);
  opened.push(page);
  return page.page;
}

describe("how much of a cost is backed by facts", () => {
  const WHY = "backed by facts of the last hour and this one: agent down 7.0% · pods that ran unseen 1.0%";

  it("stands beside the cost where that is not all of it, with the reasons, and nowhere else", async () => {
    const { items } = await ask(server, ClusterList, "clusters?limit=50");
    const page = await open("/clusters?rows=50");
    const partial = items.filter(({ cost }) => cost !== null && cost.coverage.fraction !== 1);
    expect(partial.length).toBeGreaterThan(2);
    expect(await page.locator("table.fleet .covered").count()).toBe(partial.length);
    for (const { id } of partial) {
      const chip = page.locator(`table.fleet tbody tr:has(a[href*="${id}"]) .covered`);
      expect((await shown(chip)).trim()).toBe("92.0%");
      expect(await chip.getAttribute("title")).toBe(`92.0% ${WHY}`);
    }
  });

  it("is a note on the page of a cluster, in the reader's language", async () => {
    const { items } = await ask(server, ClusterList, "clusters?limit=50");
    const [partial, whole] = [false, true].map((isWhole) =>
      items.find(({ cost }) => cost !== null && (cost.coverage.fraction === 1) === isWhole),
    );
    const page = await open(`/clusters/${partial?.id}`);
    expect(await read(page, ".covered-note")).toBe(`92.0% ${WHY}`);
    const chinese = await open(`/clusters/${partial?.id}`, { locale: "zh-CN" });
    expect(await read(chinese, ".covered-note")).toContain("数据覆盖率 92.0%：代理停止 7.0%");
    const other = await open(`/clusters/${whole?.id}`);
    await other.locator(".parts").first().waitFor();
    expect(await other.locator(".covered-note").count()).toBe(0);
  });
});

describe("the overview", () => {
  it("shows the API's figures", async () => {
    const page = await open("/");
    const overview = await ask(server, Overview, "overview");
    await expectOverview(page, overview);
    expect(await read(page, `${tile("Clusters")} > .sub`)).toBe(
      `${overview.reporting.clusters} of ${overview.reporting.of} clusters in the figures`,
    );
    const top = await page.locator(`${tile("Fullest by requested cpu")} li .load-name`).allInnerTexts();
    expect(top.map((line) => line.split(/\s+/).slice(0, 2))).toEqual(
      overview.topByRequestedCpu.map(({ name, percent }) => [name, `${Math.floor(percent)}%`]),
    );
  });

  it("links every count to the list of as many clusters", async () => {
    const page = await open("/");
    const overview = await ask(server, Overview, "overview");
    const { byConnectivity, byHealth, byType } = overview.clusters;
    const counts = [
      ...Object.values({ ...byConnectivity }),
      ...Object.values(byHealth),
      ...Object.values(byType),
      ...overview.versions.map(({ clusters }) => clusters),
    ];
    const links = page.locator(".states a, .spread a");
    expect(await links.count()).toBe(counts.length);
    const followed: number[] = [];
    for (let index = 0; index < counts.length; index += 1) {
      const row = links.nth(index).locator("xpath=ancestor::li");
      const count = Number(/\d+$|^\d+/.exec((await shown(row.locator("b"))).trim())?.[0]);
      await links.nth(index).click();
      await page.locator("table.fleet").waitFor();
      await expect.poll(() => page.locator("table.fleet tbody tr").count()).toBe(count);
      followed.push(count);
      await page.goBack();
      await page.locator(".states").first().waitFor();
    }
    expect(followed.sort()).toEqual(counts.sort());
  });

  it("says that the fleet is simulated, on every view, and does not say it of a real one", async () => {
    const views = await open("/");
    for (const path of ["/", "/clusters", FULL_CLUSTER]) {
      await views.goto(`${server.url}${path}`);
      await settled(views);
      expect(await read(views, ".simulated")).toContain("No figure here is of a real cluster");
    }
    const real = await startFixtureServer({ clusters: 2, pageDir: built.folder });
    const page = await openPage(browser, real, "/");
    expect(await page.page.locator(".simulated").count()).toBe(0);
    await page.context.close();
    await real.stop();
  });

  it("names the next command when there is no cluster, and shows the first one by itself", async () => {
    server.setClusters(0);
    const page = await open("/");
    expect(await read(page, ".empty")).toContain("plimsoll join NAME");
    server.setClusters(1);
    await page.locator(tile("How full")).waitFor({ timeout: 8_000 });
    expect(await text(page, `${tile("Clusters")} .big .figure`)).toBe("1");
  });
});

describe("the table of clusters", () => {
  it("shows the API's figures in the API's order", async () => {
    const page = await open("/clusters?sort=-cost");
    const list = await ask(server, ClusterList, "clusters?sort=-cost");
    await expectClusterRows(page, list.items);
  });

  it("hatches what is stale and says how old; shows what is unknown as unknown", async () => {
    const page = await open("/clusters");
    const offline = page.locator(`tr[data-cluster="${OFFLINE_CLUSTER}"]`);
    expect(await offline.locator(".bar.stale").count()).toBe(2);
    expect(await shown(offline.locator(".chip.stale"))).toContain("65 min old");
    expect(await shown(offline.locator(".col-state"))).toContain("offline");
    const unseen = page.locator(`tr[data-cluster="${NEVER_SEEN_CLUSTER}"]`);
    expect(await unseen.locator(".bar.none").count()).toBe(2);
    expect(await shown(unseen)).not.toMatch(/\b0\b/);
    expect(await page.locator(".bar.stale").count()).toBe(2);
  });

  it("keeps its whole state in the URL", async () => {
    server.setClusters(200);
    const page = await open("/clusters");
    const total = () => read(page, '.list-head [role="status"]');
    await page.locator("[data-search]").fill("eu");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=eu");
    await page.getByTitle("Label selector").fill("env=prod");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=eu&scope=env=prod");
    await page.locator(".col-cost a").click();
    await page.locator("summary", { hasText: /^Type$/ }).click();
    await page.locator(".choice", { hasText: "EKS" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=eu&scope=env=prod&sort=-cost&type=EKS");
    const asked = "clusters?search=eu&selector=env%3Dprod&sort=-cost&type=EKS";
    const expected = await ask(server, ClusterList, asked);
    const counted = expected.total === 1 ? "1 cluster" : `${expected.total} clusters`;
    await expect.poll(total).toBe(counted);
    await page.reload();
    await settled(page);
    expect(await total()).toBe(counted);
    expect(await page.locator(".row-link").allInnerTexts()).toEqual(expected.items.map(({ name }) => name));
    expect(await page.locator("[data-search]").inputValue()).toBe("eu");
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await expect.poll(total).toBe("200 clusters");
    expect(new URL(page.url()).search).toBe("?sort=-cost");
    expect(await page.locator("[data-search]").inputValue()).toBe("");
  });

  it("pages forth and back by the hub's cursor, and shows the chosen columns only", async () => {
    server.setClusters(60);
    const page = await open("/clusters?rows=25&cols=name,cost");
    expect(await page.locator("table.fleet thead th").allInnerTexts()).toEqual(["Cluster", "Cost / h"]);
    const first = await page.locator(".row-link").allInnerTexts();
    await page.getByRole("link", { name: "Next page" }).click();
    await expect.poll(() => read(page, ".pager .muted")).toBe("26–50 of 60");
    await page.getByRole("link", { name: "Next page" }).click();
    await expect.poll(() => read(page, ".pager .muted")).toBe("51–60 of 60");
    expect(await page.locator("table.fleet tbody tr").count()).toBe(10);
    await page.getByRole("button", { name: "Previous page" }).click();
    await expect.poll(() => read(page, ".pager .muted")).toBe("26–50 of 60");
    await page.getByRole("link", { name: "First page" }).click();
    await expect.poll(() => page.locator(".row-link").allInnerTexts()).toEqual(first);
  });

  it("tells apart a list that nothing matches from a hub without clusters", async () => {
    const page = await open("/clusters?q=nothing-like-this");
    expect(await text(page, "p.empty")).toBe("No cluster matches");
    expect(await page.getByRole("button", { name: "Clear search and filters" }).count()).toBe(1);
  });
});

describe("one cluster", () => {
  it("shows its watermarks, cost, nodes and all fields of its record", async () => {
    const page = await open(FULL_CLUSTER);
    const list = await ask(server, ClusterList, "clusters?search=payments-prod-06");
    const cluster = list.items[0];
    expect(await text(page, "h1")).toBe(cluster?.name);
    for (const figures of cluster?.watermarks ?? []) {
      const row = await read(page, `tr[data-resource="${figures.resource}"]`);
      expect(row).toContain(shareText(figures.requested, figures.allocatable));
    }
    expect(await page.locator("tr[data-node]").count()).toBe(cluster?.nodes?.total);
    expect(await page.locator('[data-part="total"] .price').getAttribute("title")).toBe(
      `${cluster?.cost?.currency} ${cluster?.cost?.total}`,
    );
    expect(await read(page, '[data-field="k8s_version"] dd')).toBe(cluster?.record.k8s_version);
    expect(await read(page, '[data-field="business_unit"] dd')).toBe("–");
    const fields = await page.locator("[data-field]").count();
    // The most common versions, and the health that stands in the head, are not said twice.
    const elsewhere = ["kubelet_version", "node_os_version", "container_runtime_version", "health_reasons"];
    expect(fields).toBe(Object.keys(cluster?.record ?? {}).length - elsewhere.length);
  });

  it("that is not there is a problem with code and request id, not an empty page", async () => {
    const page = await open("/clusters/nobody");
    const problem = await read(page, ".problem");
    expect(problem).toContain("not_found");
    expect(problem).toMatch(/request fixture-\d+/);
  });
});

describe("when the hub fails", () => {
  it("keeps the last figures, says why with code and request id, and recovers by the button", async () => {
    const page = await open("/clusters");
    server.setFailure({ path: "/api/v1/clusters", status: 503, code: "hub_busy" });
    await page.locator(".problem").waitFor({ timeout: 12_000 });
    expect(await read(page, ".problem")).toMatch(
      /The figures below are \d+ s old\. code hub_busy · request fixture-\d+/,
    );
    expect(await page.locator("table.fleet tbody tr").count()).toBe(20);
    server.setFailure(null);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".problem").waitFor({ state: "detached" });
  });

  it("fails the list only, not the page, and names clusters that an answer lacks", async () => {
    server.setFailure({ path: "/api/v1/nodes", status: 500, code: "internal" });
    const page = await open(FULL_CLUSTER);
    await page.locator(".problem").waitFor();
    expect(await page.locator('[data-field="cluster_id"]').count()).toBe(1);
    server.setErrors([
      {
        cluster: "lab",
        clusterId: "lab",
        code: "cluster_forbidden",
        message: "No right to list pods",
        remedy: "Grant it",
        since: null,
      },
    ]);
    const list = await open("/clusters");
    expect(await read(list, ".partial summary")).toContain("1 cluster is missing or incomplete");
    await list.locator(".partial summary").click();
    expect(await read(list, ".partial li")).toContain("lab cluster_forbidden No right to list pods");
  });
});

describe("signing in", () => {
  it("takes the token out of the address and keeps it for the tab", async () => {
    const page = await open("/clusters?q=eu");
    expect(page.url()).toBe(`${server.url}/clusters?q=eu`);
    await page.reload();
    await settled(page);
    expect(await page.locator("table.fleet").count()).toBe(1);
  });

  it("asks for a token where there is none, names the command, refuses a wrong one, and goes on to the view", async () => {
    const page = await open("/clusters?q=eu");
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await read(page, ".sign-in")).toContain("plimsoll hub");
    await page.getByLabel("Admin token").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await text(page, "#token-refused")).toBe("The hub does not accept this token.");
    await page.getByLabel("Admin token").fill(server.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("table.fleet").waitFor();
    expect(page.url()).toBe(`${server.url}/clusters?q=eu`);
  });

  it("is asked again when the hub no longer takes the token", async () => {
    const page = await open("/");
    server.setFailure({ path: "/api/v1/clusters", status: 401, code: "unauthorized" });
    await page.getByRole("link", { name: "Clusters", exact: true }).click();
    await page.locator(".sign-in .notice").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });
});

describe("by keyboard alone", () => {
  it("one finds, opens and leaves a cluster, and the focus comes back to its row", async () => {
    const page = await open("/");
    await page.keyboard.press("/");
    await page.waitForURL("**/clusters");
    await expect.poll(() => page.evaluate("document.activeElement.hasAttribute('data-search')")).toBe(true);
    await page.keyboard.type("prod");
    await page.waitForURL("**/clusters?q=prod");
    await page.keyboard.press("Escape");
    const names = (await ask(server, ClusterList, "clusters?search=prod")).items.map(({ name }) => name);
    await expect.poll(() => page.locator(".row-link").count()).toBe(names.length);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(names[1]);
    await page.keyboard.press("Enter");
    await expect.poll(() => text(page, "h1")).toBe(names[1]);
    await page.goBack();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(names[1]);
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.locator(tile("How full")).waitFor();
  });

  it("`?` lists the keys, Esc closes it, and the focus goes back", async () => {
    const page = await open("/clusters");
    await page.keyboard.press("j");
    const before = await page.evaluate("document.activeElement.textContent");
    await page.keyboard.press("?");
    expect(await read(page, "dialog[open]")).toContain("Next and previous row");
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect(await page.evaluate("document.activeElement.textContent")).toBe(before);
  });
});

describe("language and theme", () => {
  it("switch at once and are kept", async () => {
    const page = await open("/clusters");
    await page.getByRole("button", { name: "中文" }).click();
    await expect.poll(() => text(page, "h1")).toBe("集群");
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
    await page.getByRole("button", { name: "主题" }).click();
    await page.getByRole("button", { name: "主题" }).click();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    const dark = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.reload();
    await settled(page);
    expect(await text(page, "h1")).toBe("集群");
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(dark);
    expect(await shown(page.locator(".col-state").nth(1))).toMatch(/在线\s+\d+ 秒/);
  });

  it("a Chinese browser gets Chinese at once", async () => {
    const page = await open("/", { locale: "zh-CN" });
    expect(await text(page, "h1")).toBe("机群");
  });
});

describe("everybody can read it (axe, WCAG 2.2 AA)", () => {
  const views = { overview: "/", clusters: "/clusters?type=EKS&sort=-cost", cluster: FULL_CLUSTER, lost: "/no/such" };
  it.each(Object.entries(views))("%s: light, dark, and narrow without scrolling sideways", async (_name, path) => {
    const page = await open(path);
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 420, height: 900 });
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(420);
  });

  it("what opens over a view, problems, and the sign-in", async () => {
    server.setClusters(4);
    server.setErrors([
      { cluster: "lab", clusterId: "lab", code: "cluster_forbidden", message: "No", remedy: "Grant it", since: null },
    ]);
    const page = await open("/clusters");
    const bothThemes = async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeFaults(page)).toEqual([]);
      }
    };
    await page.locator(".partial summary").click();
    await page.locator(".menu summary").first().click();
    await bothThemes();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await bothThemes();
    await page.keyboard.press("Escape");
    server.setFailure({ path: "/api/v1", status: 503, code: "hub_busy" });
    await page.reload();
    await page.locator(".problem").waitFor();
    await bothThemes();
    await page.getByRole("button", { name: "Sign out" }).click();
    await bothThemes();
  });

  it("in Chinese, on a narrow screen, nothing scrolls sideways", async () => {
    const page = await open("/", { locale: "zh-CN", width: 420 });
    for (const path of Object.values(views)) {
      await page.goto(`${server.url}${path}`);
      await settled(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(420);
    }
  });
});

it("stays within its budget", () => {
  const sizes = pageSizes(built.folder);
  expect(sizes.length).toBeGreaterThan(4);
  expect(tooLarge(sizes)).toEqual([]);
});
