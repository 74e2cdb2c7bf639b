import { expect, test } from "vitest";
import { Durations } from "./durations.ts";
import { metricText } from "./metric-text.ts";

const TABLE = {
  plimsoll_x_total: { type: "counter", help: "Things\\of a kind" },
  plimsoll_y_bytes: { type: "gauge", help: "Sizes", labels: { of: "what" } },
  plimsoll_z_seconds: { type: "histogram", help: "Times", buckets: [0.1, 1] },
} as const;

test("every metric has its help, its type and its values, and times are cumulative", () => {
  const times = new Durations(TABLE.plimsoll_z_seconds.buckets);
  for (const seconds of [0.1, 0.5, 2]) times.observe(seconds, { of: "a" });
  times.observe(0.25, { of: "b" });
  const text = metricText(TABLE, {
    plimsoll_x_total: 3,
    plimsoll_y_bytes: [{ labels: { of: 'a "b"\\\n' }, value: 1.5 }],
    plimsoll_z_seconds: times.figures(),
  });
  expect(text).toBe(`# HELP plimsoll_x_total Things\\\\of a kind
# TYPE plimsoll_x_total counter
plimsoll_x_total 3
# HELP plimsoll_y_bytes Sizes
# TYPE plimsoll_y_bytes gauge
plimsoll_y_bytes{of="a \\"b\\"\\\\\\n"} 1.5
# HELP plimsoll_z_seconds Times
# TYPE plimsoll_z_seconds histogram
plimsoll_z_seconds_bucket{of="a",le="0.1"} 1
plimsoll_z_seconds_bucket{of="a",le="1"} 2
plimsoll_z_seconds_bucket{of="a",le="+Inf"} 3
plimsoll_z_seconds_sum{of="a"} 2.6
plimsoll_z_seconds_count{of="a"} 3
plimsoll_z_seconds_bucket{of="b",le="0.1"} 0
plimsoll_z_seconds_bucket{of="b",le="1"} 1
plimsoll_z_seconds_bucket{of="b",le="+Inf"} 1
plimsoll_z_seconds_sum{of="b"} 0.25
plimsoll_z_seconds_count{of="b"} 1
`);
});

test("what is not known now is left out, and is not 0", () => {
  expect(metricText(TABLE, { plimsoll_x_total: null, plimsoll_y_bytes: [], plimsoll_z_seconds: [] })).toBe("");
});
