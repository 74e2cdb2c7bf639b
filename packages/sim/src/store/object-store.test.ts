import { expect, test } from "vitest";
import type { NamespaceRecord } from "../records/records.ts";
import { type Change, ObjectStore } from "./object-store.ts";

const record = (name: string, value = ""): NamespaceRecord => ({
  resource: "namespaces",
  namespace: "",
  name,
  uid: `uid-${name}`,
  createdAt: 0,
  labels: { value },
});
const namesAt = (store: ObjectStore, revision: number) =>
  store.listAt("namespaces", revision)?.map(({ record: { name, labels } }) => `${name}${labels.value}`);

test("every write raises the revision by one, and each past state can be read", () => {
  const store = new ObjectStore(100);
  store.put(record("b"));
  store.put(record("a"));
  store.put(record("b", "2"));
  store.remove("namespaces", "", "a");
  expect(store.revision).toBe(104);
  expect([100, 101, 102, 103, 104].map((revision) => namesAt(store, revision))).toEqual([
    [],
    ["b"],
    ["a", "b"],
    ["a", "b2"],
    ["b2"],
  ]);
  expect(namesAt(store, 105)).toBeUndefined();
});

test("changes since a revision come in order, with what they replaced", () => {
  const store = new ObjectStore(0);
  const heard: Change[] = [];
  const stop = store.subscribe("namespaces", (change) => heard.push(change));
  store.put(record("a"));
  store.put(record("a", "2"));
  stop();
  store.remove("namespaces", "", "a");
  expect(store.changesSince("namespaces", 1)?.map(({ type, revision }) => `${type} ${revision}`)).toEqual([
    "MODIFIED 2",
    "DELETED 3",
  ]);
  expect(store.changesSince("namespaces", 2)?.[0]?.previous?.revision).toBe(2);
  expect(heard.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED"]);
});

test("a compaction takes the past away, and the present stays", () => {
  const store = new ObjectStore(0);
  store.put(record("a"));
  store.put(record("b"));
  store.compact(1);
  expect(namesAt(store, 0)).toBeUndefined();
  expect(namesAt(store, 1)).toEqual(["a"]);
  expect(store.changesSince("namespaces", 0)).toBeUndefined();
  expect(store.changesSince("namespaces", 1)).toHaveLength(1);
  store.compact();
  expect(store.changesSince("namespaces", 1)).toBeUndefined();
  expect(namesAt(store, 2)).toEqual(["a", "b"]);
});

test("history ages: what was past more than the set time ago is gone", () => {
  const store = new ObjectStore(0);
  for (let minute = 0; minute < 10; minute++) {
    store.put(record(`n${minute}`));
    store.age(minute * 60, 300);
  }
  // At 9:00 the state of 4:00 is the oldest that is needed.
  expect(store.compacted).toBe(5);
});

test("keys sort as etcd's do: by bytes of NAMESPACE/NAME", () => {
  const store = new ObjectStore(0);
  const quota = (namespace: string, name: string) =>
    store.put({ ...record(name), resource: "resourcequotas", namespace, hard: {}, used: {} });
  quota("a", "z");
  quota("a-b", "c");
  quota("a", "b");
  const keys = store.list("resourcequotas").map(({ record: { namespace, name } }) => `${namespace}/${name}`);
  expect(keys).toEqual(["a-b/c", "a/b", "a/z"]);
});
