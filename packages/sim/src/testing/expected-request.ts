import type { Json } from "./api-reader.ts";

/** Nanocores and bytes, exact. */
export interface ExpectedRequest {
  readonly cpu: bigint;
  readonly memory: bigint;
}

/**
 * For tests: what a pod requests, from its JSON alone: R = Σ containers + Σ sidecars, I = each ordinary init container with
 * the sidecars before it; overhead on top. `starting` holds until the condition Initialized, `running` afterwards.
 */
export function expectedRequests(pod: Json): { starting: ExpectedRequest; running: ExpectedRequest } {
  const overhead = amountOf(pod.spec.overhead);
  let sidecars: ExpectedRequest = { cpu: 0n, memory: 0n };
  let peak: ExpectedRequest = { cpu: 0n, memory: 0n };
  for (const init of pod.spec.initContainers ?? []) {
    const own = amountOf(init.resources?.requests);
    if (init.restartPolicy === "Always") {
      sidecars = plus(sidecars, own);
      peak = most(peak, sidecars);
    } else peak = most(peak, plus(sidecars, own));
  }
  const sum = pod.spec.containers.reduce(
    (total: ExpectedRequest, container: Json) => plus(total, amountOf(container.resources?.requests)),
    sidecars,
  );
  return { starting: plus(most(sum, peak), overhead), running: plus(sum, overhead) };
}

/** The forms of quantities that the simulator writes, and no others. */
export function quantity(text: string | undefined, nanos: bigint): bigint {
  if (text === undefined) return 0n;
  const [, digits = "", suffix = ""] = /^(\d+)(m|n|Ki|Mi|Gi)?$/.exec(text) ?? [];
  const factors: Record<string, bigint> = {
    "": nanos,
    n: nanos / 1_000_000_000n,
    m: nanos / 1_000n,
    Ki: nanos << 10n,
    Mi: nanos << 20n,
    Gi: nanos << 30n,
  };
  return BigInt(digits) * (factors[suffix] ?? 0n);
}

function amountOf(requests: Json): ExpectedRequest {
  return { cpu: quantity(requests?.cpu, 1_000_000_000n), memory: quantity(requests?.memory, 1n) };
}

function plus(a: ExpectedRequest, b: ExpectedRequest): ExpectedRequest {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}

function most(a: ExpectedRequest, b: ExpectedRequest): ExpectedRequest {
  return { cpu: larger(a.cpu, b.cpu), memory: larger(a.memory, b.memory) };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
