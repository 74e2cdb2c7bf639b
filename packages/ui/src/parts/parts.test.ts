import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ApiProblem } from "../api/api-problem.ts";
import { en } from "../i18n/en.ts";
import { LanguageProvider } from "../i18n/language.tsx";
import { ProblemCard } from "./problem-card.tsx";
import { StateMark } from "./state-mark.tsx";
import { WatermarkView } from "./watermark-figures.tsx";

const show = (children: ReactNode) =>
  renderToStaticMarkup(
    createElement(LanguageProvider, { language: "en", messages: en, onSwitch: () => undefined, children }),
  );

const figures = { unit: "millicores", allocatable: "10000", requested: "9100", used: "100" } as const;

describe("a watermark", () => {
  it("says share, band and use, and its bars are as long", () => {
    const html = show(createElement(WatermarkView, { figures, stale: false }));
    expect(html).toContain("<b>91%</b>");
    expect(html).toContain("▲ critical");
    expect(html).toContain("<b>1%</b> used");
    expect(html).toMatch(/class="requested critical" style="width:91%"/);
    expect(html).toMatch(/class="used" style="width:1%"/);
    expect(html).toContain("Requested 9.1 cores (9,100 millicores)");
  });

  it("takes a share of the nodes that stand behind the figure", () => {
    const partly = { ...figures, usedAllocatable: "1000" };
    expect(show(createElement(WatermarkView, { figures: partly, stale: false }))).toContain("<b>10%</b> used");
  });

  it("is hatched when stale", () => {
    expect(show(createElement(WatermarkView, { figures, stale: true }))).toContain('class="bar stale"');
    expect(show(createElement(WatermarkView, { figures, stale: false }))).not.toContain("stale");
  });

  it("is an outline with dashes when unknown, never 0", () => {
    const html = show(createElement(WatermarkView, { figures: undefined, stale: false }));
    expect(html).toContain('class="bar none"');
    expect(html).toContain("<b>–</b>");
    expect(html).not.toContain("0%");
  });

  it("ends at its end when more is requested than there is, and says how much", () => {
    const html = show(createElement(WatermarkView, { figures: { ...figures, requested: "15000" }, stale: false }));
    expect(html).toContain("<b>150%</b>");
    expect(html).toContain("width:100%");
  });
});

describe("a problem card", () => {
  it("shows code, request id and remedy of the hub's problem", () => {
    const problem = new ApiProblem({ code: "hub_busy", status: 503, title: "Busy", remedy: "Wait", requestId: "r-7" });
    const html = show(createElement(ProblemCard, { problem, onRetry: () => undefined }));
    for (const part of ["Busy", "Wait", "hub_busy", "r-7", "Try again"]) expect(html).toContain(part);
  });

  it("says in words what the page finds by itself", () => {
    const html = show(createElement(ProblemCard, { problem: new ApiProblem({ code: "hub_unreachable" }) }));
    expect(html).toContain("The hub does not answer");
    expect(html).not.toContain("request");
  });

  it("shows a defect without its stack", () => {
    const html = show(createElement(ProblemCard, { problem: new TypeError("x is not a function") }));
    expect(html).toContain("page_defect");
    expect(html).not.toMatch(/parts\.test|at /);
  });
});

it("states differ by their form, not by colour alone", () => {
  const states = ["online", "late", "offline", "never-seen", "healthy", "degraded", "unhealthy", "unknown"];
  const forms = states.map((state) =>
    show(createElement(StateMark, { state })).replace(/class="state-mark [^"]*"/, ""),
  );
  expect(new Set(forms).size).toBe(states.length);
});
