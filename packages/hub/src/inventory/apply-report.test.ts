import type { DynamicFacts } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../store/store.ts";
import { capacityReport, dynamicFacts } from "../testing/dynamic-facts.ts";
import { openRegistry, type Registry } from "./registry.ts";
import { insertCluster } from "./testing/insert-cluster.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");

let store: Store;
let registry: Registry;
beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
  await insertCluster(store, { id: "a", incarnation: 2, session_epoch: 5 });
  registry = await openRegistry(store);
});
afterEach(() => store.close());

type Stamp = readonly [incarnation: number, epoch: number, sequence: number];
function apply([incarnation, sessionEpoch, sequence]: Stamp, facts: DynamicFacts = dynamicFacts(NOW)) {
  return registry.applyReport("a", { incarnation, sessionEpoch, sequence }, facts, NOW + 1);
}
const versionOf = () => registry.get("a", "all").layer?.k8s_version;
const row = () => store.db.selectFrom("clusters").selectAll().where("id", "=", "a").executeTakeFirstOrThrow();

describe("a report is judged by incarnation, session epoch and sequence", () => {
  test.each<[string, Stamp, string]>([
    ["the next of the session", [2, 5, 11], "applied"],
    ["a later one of the session", [2, 5, 99], "applied"],
    ["the same again", [2, 5, 10], "stale"],
    ["an earlier one", [2, 5, 9], "stale"],
    ["the first of a newer session", [2, 6, 1], "applied"],
    ["a later one of an older session", [2, 4, 99], "stale"],
    ["one of an incarnation that is gone", [1, 9, 99], "deregistered"],
    ["one of an incarnation that never was", [3, 9, 99], "deregistered"],
  ])("%s: %j → %s", async (_, stamp, verdict) => {
    expect(await apply([2, 5, 10])).toBe("applied");
    const newer = dynamicFacts(NOW + 5_000, { k8s_version: "v1.34.0" });
    expect(await apply(stamp, newer)).toBe(verdict);
    expect(versionOf()).toBe(verdict === "applied" ? "v1.34.0" : "v1.33.4");
  });

  test("one of a tombstone stops its sender and re-creates nothing", async () => {
    await store.db.updateTable("clusters").set({ phase: "deregistered" }).execute();
    await registry.reload("a");
    expect(await apply([2, 5, 11])).toBe("deregistered");
    expect(registry.list("all")).toEqual([]);
  });

  test("whatever the order of arrival, the newest wins and nothing goes backwards", async () => {
    const stamps = fc.uniqueArray(fc.tuple(fc.integer({ min: 5, max: 7 }), fc.integer({ min: 1, max: 9 })), {
      selector: String,
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(stamps, async (arrivals) => {
        await store.db.updateTable("clusters").set({ session_epoch: 5, report_sequence: 0, dynamic: null }).execute();
        registry = await openRegistry(store);
        await Promise.all(
          arrivals.map(([epoch, sequence]) =>
            apply([2, epoch, sequence], dynamicFacts(NOW, { k8s_version: `v1.${epoch}.${sequence}` })),
          ),
        );
        const newest = arrivals.toSorted(([a, b], [c, d]) => a - c || b - d).at(-1);
        expect(versionOf()).toBe(`v1.${newest?.[0]}.${newest?.[1]}`);
        expect((await openRegistry(store)).get("a", "all").layer?.k8s_version).toBe(versionOf());
      }),
      { numRuns: 30 },
    );
  });
});

describe("what a report changes", () => {
  test("the record: the resource version grows by one", async () => {
    await apply([2, 5, 1]);
    expect(registry.get("a", "all").resourceVersion).toBe(2);
    await apply([2, 5, 2], dynamicFacts(NOW, { node_count: 4 }));
    expect(registry.get("a", "all").resourceVersion).toBe(3);
    expect(await row()).toMatchObject({ resource_version: 3, report_sequence: 2, received_at_ms: NOW + 1 });
  });

  test("a watermark alone: it is stored, and the version of the record stays", async () => {
    await apply([2, 5, 1]);
    const fuller = dynamicFacts(NOW + 60_000, {}, { capacity: capacityReport(11_000n) });
    expect(await apply([2, 5, 2], fuller)).toBe("unchanged");
    expect(await row()).toMatchObject({ resource_version: 2, observed_at_ms: NOW + 60_000 });
    expect(registry.get("a", "all").capacity?.resources.cpu?.requested).toBe(11_000n);
  });

  test("nothing: the row is not written, and the age still goes on", async () => {
    await apply([2, 5, 1]);
    const before = await row();
    expect(await apply([2, 5, 2], dynamicFacts(NOW + 60_000))).toBe("unchanged");
    expect(await row()).toEqual(before);
    expect(registry.get("a", "all").observedAtMs).toBe(NOW + 60_000);
    // An older one does not come in by the gap between memory and row.
    expect(await apply([2, 5, 2], dynamicFacts(NOW, { k8s_version: "v9.9.9" }))).toBe("stale");
  });

  test("figures beyond a double's exactness come back to the last digit after a restart", async () => {
    await apply([2, 5, 1]);
    const again = await openRegistry(store);
    expect(again.get("a", "all").capacity?.resources.memory?.allocatable).toBe(9_007_199_254_740_993n);
    expect(again.get("a", "all")).toEqual(registry.get("a", "all"));
  });
});

describe("what could not be read", () => {
  const unread = (resource: string, state: "stale" | "unreadable" = "unreadable") => ({
    resource,
    state,
    observedAtMs: null,
    errorCode: "cluster_forbidden",
  });

  test("keeps its last value, marked stale with its age; it is never 0 and never empty", async () => {
    await apply([2, 5, 1]);
    const facts = dynamicFacts(
      NOW + 60_000,
      { node_count: null, kubelet_version: null, kubelet_versions: {}, total_cpu_cores: null },
      { capacity: null, resourceStates: [unread("nodes")] },
    );
    await apply([2, 5, 2], facts);
    const { layer, capacity, readStates, detected } = registry.get("a", "all");
    expect(layer).toMatchObject({
      node_count: 3,
      kubelet_version: "v1.33.4",
      kubelet_versions: { "v1.33.4": 3 },
      total_cpu_cores: 12,
    });
    expect(capacity?.nodes.total).toBe(3);
    expect(detected?.provider).toBe("aws");
    expect(readStates).toEqual([{ ...unread("nodes", "stale"), observedAtMs: NOW }]);
  });

  test("was never known: it stays unknown", async () => {
    const facts = dynamicFacts(NOW, { node_count: null }, { capacity: null, resourceStates: [unread("nodes")] });
    await apply([2, 5, 1], facts);
    expect(registry.get("a", "all")).toMatchObject({ layer: { node_count: null }, capacity: null });
    expect(registry.get("a", "all").readStates).toEqual([unread("nodes")]);
  });

  test("keeps nothing of what was read: an ingress that is gone is gone", async () => {
    await apply([2, 5, 1], dynamicFacts(NOW, { ingress: "nginx" }));
    await apply([2, 5, 2], dynamicFacts(NOW, { ingress: null }, { resourceStates: [unread("nodes")] }));
    expect(registry.get("a", "all").layer?.ingress).toBeNull();
  });
});

describe("the registry", () => {
  test("finds by id, then by name, inside the scope only", async () => {
    await insertCluster(store, { id: "b", name: "a-name" });
    registry = await openRegistry(store);
    expect(registry.get("b", "all").id).toBe("b");
    expect(registry.get("a-name", "all").id).toBe("b");
    for (const wanted of ["b", "a-name", "nowhere"]) {
      expect(() => registry.get(wanted, new Set(["a"]))).toThrow(expect.objectContaining({ code: "cluster_unknown" }));
    }
    expect(registry.list(new Set(["a"])).map(({ id }) => id)).toEqual(["a"]);
    expect(registry.list(new Set())).toEqual([]);
  });

  test("says which column of which row is damaged", async () => {
    await store.db.updateTable("clusters").set({ labels: "{" }).execute();
    await expect(openRegistry(store)).rejects.toMatchObject({
      code: "store_unavailable",
      fields: { store: "clusters.labels" },
    });
  });
});
