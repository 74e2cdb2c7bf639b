import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { reportOf, sampleReport } from "../sample-report.ts";
import { html, Markup, trusted } from "./markup.ts";
import { renderHtml } from "./page.ts";

const EVIL = `<script>alert("x")</script><img src=x onerror='alert(1)'>`;

describe("a template", () => {
  test("escapes every value, in text and in attributes", () => {
    expect(html`<b title="${EVIL}">${EVIL}</b>`.text).not.toMatch(/<script|<img|"x"|'alert/);
    expect(html`${"&amp;"}`.text).toBe("&amp;amp;");
  });

  test("holds no characters that a page may not have, and none that turn the reading direction", () => {
    expect(html`${"a\u001b[31m\u202eb\nc"}`.text).toBe("a\ufffd[31m\ufffdb\nc");
  });

  test("takes pieces and lists of pieces as they are, and leaves out what is absent", () => {
    const piece = html`<i>${1n}</i>`;
    expect(piece).toBeInstanceOf(Markup);
    expect(html`${[piece, null, undefined, false, trusted("<hr>"), [2, "<"]]}`.text).toBe("<i>1</i><hr>2&lt;");
  });
});

describe("the page", () => {
  test("is the golden one", async () => {
    await expect(renderHtml(sampleReport())).toMatchFileSnapshot("../testdata/sample.html");
  });

  test("refers to nothing outside itself, and its policy allows nothing else", () => {
    const page = renderHtml(sampleReport());
    expect(page).not.toMatch(/<(link|img|iframe|object|embed)\b|@import|url\((?!#)|\bsrc=|srcset=/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-`);
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
    expect(page).toContain(`sha256-${createHash("sha256").update(script).digest("base64")}`);
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  test("shows text from a cluster as text, wherever it stands", () => {
    const page = renderHtml(everywhere(EVIL));
    expect(page).not.toContain("<img src=x");
    expect(page).not.toContain('alert("x")');
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
    expect(page).not.toMatch(/ onerror='/);
  });

  test("says the age, the unit, the price source and what is unknown", () => {
    const page = renderHtml(sampleReport());
    expect(page).toContain("As of 2026-11-30 09:00:00 UTC · figures up to 3 d older · prices: built-in defaults");
    expect(page).toContain("3 d old");
    expect(page).toContain('<span class="cur">USD</span> 17.54');
    expect(page).toContain("604 GiB");
    expect(page).toContain("used: unknown");
  });

  test("says in words what a band is of", () => {
    const text = renderHtml(sampleReport()).replace(/<[^>]+>/g, "");
    expect(text).toContain("90% requested (▲ critical)");
  });

  test("has a section for every cluster that the table leads to, and a row also for the unread one", () => {
    const page = renderHtml(sampleReport());
    for (const id of ["c1", "c2", "c3", "c4"]) {
      expect(page).toContain(`href="#${id}"`);
      expect(page).toContain(`id="${id}"`);
    }
    expect(page).toContain("not read");
    expect(page).toContain("connection refused");
  });

  test("rows of a cost table add up to its total when small ones are folded", () => {
    const [first] = sampleReport().clusters;
    if (!first?.cost) throw new Error("the sample has a cost");
    const names = Array.from({ length: 40 }, (_, index) => ({ name: `ns-${index}`, hourly: "0.100000001" }));
    const cost = { ...first.cost, byNamespace: names, hourly: { ...first.cost.hourly, total: "4.00000004" } };
    const page = renderHtml(reportOf([{ ...first, cost }]));
    expect(page).toContain("30 others");
    expect(page).toContain('title="USD 3.00000003"');
  });

  test("a group is a row whatever its name is", () => {
    const [first] = sampleReport().clusters;
    if (!first?.cost) throw new Error("the sample has a cost");
    const cost = { ...first.cost, byNamespace: [{ name: "constructor", hourly: "0.123456789" }] };
    expect(renderHtml(reportOf([{ ...first, cost }]))).toContain('title="USD 0.123456789"');
  });

  test("a fleet of 500 clusters stays small enough to mail", () => {
    const [first] = sampleReport().clusters;
    if (!first) throw new Error("the sample has clusters");
    const page = renderHtml(reportOf(Array.from({ length: 500 }, () => first)));
    expect(page.length).toBeLessThan(20_000_000);
    expect(page).not.toContain('<details class="cluster" id="c1" open');
  });
});

/** The sample with every text that a cluster, a kubeconfig or a file could have written replaced. */
function everywhere(text: string) {
  const report = sampleReport();
  const keep = new Set([
    "asOf",
    "observed_at",
    "severity",
    "unit",
    "currency",
    "code",
    "hourly",
    "basis",
    "health_status",
  ]);
  const replaced = (value: unknown, key: string): unknown => {
    if (key === "hourly" || keep.has(key)) return value;
    if (typeof value === "string") return text;
    if (Array.isArray(value)) return value.map((item) => replaced(item, ""));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, replaced(item, name)] as const);
    return Object.fromEntries(
      key === "labels" || key === "byLabel" ? entries.map(([, item]) => [text, item]) : entries,
    );
  };
  return { ...report, ...Object(replaced({ clusters: report.clusters, errors: report.errors }, "")) };
}
