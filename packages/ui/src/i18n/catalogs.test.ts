import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { languageOf } from "./language.tsx";
import { zhCN } from "./zh-cn.ts";

/** Names that are the same in both languages, and the two that stand in the other one on purpose. */
const SAME = /^(Kubernetes|Kubelet|kube-proxy|CoreDNS|CNI|Ingress|GPUs?|CPU)$|^中文$|^English$|简体|Switch/;

/** Every text of a catalog by its path; texts with places are filled with 7. */
function texts(catalog: object, path = ""): [string, string][] {
  return Object.entries(catalog).flatMap(([key, value]): [string, string][] => {
    const at = `${path}${key}`;
    if (typeof value === "function") return [[at, String(value(...Array(value.length).fill(7)))]];
    return typeof value === "string" ? [[at, value]] : texts(value, `${at}.`);
  });
}

describe("the catalogs", () => {
  const english = new Map(texts(en));
  const chinese = new Map(texts(zhCN));

  it("have the same texts, none empty", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...english, ...chinese].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("leave nothing in English in Chinese", () => {
    const left = [...chinese].filter(([, text]) => !/[\u4e00-\u9fff]/.test(text) && !SAME.test(text));
    expect(left).toEqual([]);
  });

  it("use no Chinese in English", () => {
    const left = [...english].filter(([, text]) => /[\u4e00-\u9fff]/.test(text) && !SAME.test(text));
    expect(left.map(([key]) => key).filter((key) => !key.startsWith("app.language"))).toEqual([]);
  });
});

describe("the first language", () => {
  it.each([
    [["zh-TW", "en"], "zh-CN"],
    [["de-DE", "zh-CN"], "zh-CN"],
    [["de-DE", "en-GB"], "en"],
    [["de-DE"], "en"],
  ])("of a browser that wants %j is %s", (wanted, language) => {
    expect(languageOf(wanted)).toBe(language);
  });
});
