/**
 * Makes equal values one: thousands of pods repeat the same labels, images, requests and containers. Never change a value
 * that a pool returned: others hold it too. Holds at most two generations of `limit` entries, so that a collector that
 * watches for weeks does not grow.
 */
export type Pool<V> = (value: V) => V;

/** A pool of values that are equal when their JSON is. */
export function createPool<V>(limit = 20_000): Pool<V> {
  return byKey(limit, (value: V) => (typeof value === "string" ? value : JSON.stringify(value)));
}

function byKey<V>(limit: number, keyOf: (value: V) => string): Pool<V> {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return (value) => {
    const key = keyOf(value);
    const held = young.get(key);
    if (held !== undefined) return held;
    const pooled = old.get(key) ?? value;
    young.set(key, pooled);
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    return pooled;
  };
}

/** The pooled value, or undefined when there is none. */
export function pooled<V>(pool: Pool<V>, value: V | undefined): V | undefined {
  return value === undefined ? undefined : pool(value);
}
