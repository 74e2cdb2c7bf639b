import { describe, expect, test } from "vitest";
import { kubeletUsage } from "./kubelet-usage.ts";
import { parsePrometheusText } from "./prometheus-text.ts";

describe("the Prometheus text format", () => {
  const names = new Set(["a_total", "b", "up"]);
  test.each([
    { name: "a plain value", text: "b 1.5", samples: [{ name: "b", labels: {}, value: 1.5 }] },
    {
      name: "an exponent and a time",
      text: "b 1.048576e+06 1769846400000",
      samples: [{ name: "b", labels: {}, value: 1048576, timestampMs: 1769846400000 }],
    },
    {
      name: "labels with every kind of escape, commas and braces",
      text: String.raw`b{pod="web-1",note="say \"hi\"\\ a\nb, {x}"} 2`,
      samples: [{ name: "b", labels: { pod: "web-1", note: 'say "hi"\\ a\nb, {x}' }, value: 2 }],
    },
    {
      name: "an empty label set and a trailing comma",
      text: 'b{} 1\nb{x="1",} 2',
      samples: [
        { name: "b", labels: {}, value: 1 },
        { name: "b", labels: { x: "1" }, value: 2 },
      ],
    },
    {
      name: "comments and other names left out",
      text: "# HELP b what\n# TYPE b gauge\nother 1\n\nb 3\n",
      samples: [{ name: "b", labels: {}, value: 3 }],
    },
    {
      name: "no number, no sample",
      text: "b NaN\nb +Inf\nb\nb x\n{x} 1\nb 4",
      samples: [{ name: "b", labels: {}, value: 4 }],
    },
  ])("$name", ({ text, samples }) => {
    expect([...parsePrometheusText(text, names)].map((sample) => JSON.parse(JSON.stringify(sample)))).toEqual(samples);
  });
});

const read = (takenAtMs: number, text: string, node = "n1") => ({ node, takenAtMs, text });

describe("usage from two reads of a kubelet", () => {
  const first = `
node_cpu_usage_seconds_total 100 1000
node_memory_working_set_bytes 1e9 1000
pod_cpu_usage_seconds_total{namespace="shop",pod="web"} 10 1000
pod_memory_working_set_bytes{namespace="shop",pod="web"} 1e6 1000
container_cpu_usage_seconds_total{container="c",namespace="shop",pod="web"} 9 1000`;
  const second = `
node_cpu_usage_seconds_total 115 11000
node_memory_working_set_bytes 1.5e+09 11000
pod_cpu_usage_seconds_total{namespace="shop",pod="web"} 11.2 11000
pod_memory_working_set_bytes{namespace="shop",pod="web"} 2e6 11000
container_cpu_usage_seconds_total{container="c",namespace="shop",pod="web"} 99 11000`;

  test("cpu is the counter's growth over the samples' own time, memory the later working set", () => {
    expect(kubeletUsage([read(0, first)], [read(60_000, second)])).toEqual({
      source: "kubelet",
      nodes: [{ node: "n1", usage: { cpu: "1500000000n", memory: "1500000000" } }],
      pods: [{ namespace: "shop", pod: "web", usage: { cpu: "120000000n", memory: "2000000" } }],
    });
  });

  test("without times of their own, samples are dated by the read", () => {
    const usage = kubeletUsage(
      [read(0, "node_cpu_usage_seconds_total 100")],
      [read(20_000, "node_cpu_usage_seconds_total 110")],
    );
    expect(usage.nodes).toEqual([{ node: "n1", usage: { cpu: "500000000n" } }]);
  });

  test("without figures of pods, those of their containers are summed", () => {
    const text = (a: number, b: number, at: number) => `
container_cpu_usage_seconds_total{container="a",namespace="shop",pod="web"} ${a} ${at}
container_cpu_usage_seconds_total{container="b",namespace="shop",pod="web"} ${b} ${at}
container_memory_working_set_bytes{container="a",namespace="shop",pod="web"} 100 ${at}
container_memory_working_set_bytes{container="b",namespace="shop",pod="web"} 200 ${at}`;
    const usage = kubeletUsage([read(0, text(1, 2, 1_000))], [read(0, text(2, 4, 11_000))]);
    expect(usage.pods).toEqual([{ namespace: "shop", pod: "web", usage: { cpu: "300000000n", memory: "300" } }]);
  });

  test.each([
    {
      name: "a counter that went back (restart)",
      before: "node_cpu_usage_seconds_total 100 1000",
      after: "node_cpu_usage_seconds_total 1 2000",
    },
    {
      name: "a sample that did not move in time",
      before: "node_cpu_usage_seconds_total 1 1000",
      after: "node_cpu_usage_seconds_total 1 1000",
    },
    { name: "a pod that is new", before: "", after: "node_cpu_usage_seconds_total 1 1000" },
  ])("$name is unknown, not zero", ({ before, after }) => {
    expect(kubeletUsage([read(0, before)], [read(1, after)])).toMatchObject({ nodes: [], pods: [] });
  });

  test("idle is zero, not unknown", () => {
    const usage = kubeletUsage(
      [read(0, "node_cpu_usage_seconds_total 1 1000")],
      [read(0, "node_cpu_usage_seconds_total 1 2000")],
    );
    expect(usage.nodes[0]?.usage).toEqual({ cpu: "0n" });
  });

  test("a node that was read only once is left out", () => {
    expect(kubeletUsage([read(0, first, "n2")], [read(1, second, "n1")]).nodes).toEqual([]);
  });
});
