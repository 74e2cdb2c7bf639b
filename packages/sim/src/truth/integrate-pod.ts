import type { Request } from "../records/amounts.ts";
import type { UsageProfile } from "../records/pod-template.ts";
import { type Seconds, timestamp } from "../time/seconds.ts";
import { USAGE_STEP_SECONDS, type UsageModel, usageOf } from "../world/pod-usage.ts";
import type { Integral, PodTruth, RequestStretch } from "./pod-truth.ts";

/** One pod's life as it was written down while it happened. */
export interface PodLife {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly workload: PodTruth["workload"];
  readonly start: Seconds;
  end: Seconds | null;
  /** Containers run, and use something, from then on. */
  runsFrom: Seconds | null;
  readonly profile: UsageProfile;
  readonly salt: number;
  /** Requests by the second from which they hold; the first is from `start`. */
  readonly stretches: { readonly from: Seconds; readonly request: Request }[];
}

interface Slice {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly request: Request;
}

/** The part of a life inside [from, to); undefined when there is none. */
export function integratePod(life: PodLife, from: Seconds, to: Seconds, model: UsageModel): PodTruth | undefined {
  const begin = Math.max(from, life.start);
  const end = Math.min(to, life.end ?? to);
  if (end <= begin) return undefined;
  const slices = slicesOf(life, begin, end);
  return {
    uid: life.uid,
    namespace: life.namespace,
    name: life.name,
    node: life.node,
    workload: life.workload,
    start: timestamp(life.start),
    end: life.end === null ? null : timestamp(life.end),
    seconds: end - begin,
    requests: slices.map(showStretch),
    ...integrate(life, slices, model),
  };
}

function slicesOf(life: PodLife, begin: Seconds, end: Seconds): readonly Slice[] {
  return life.stretches.flatMap(({ from, request }, index) => {
    const next = life.stretches[index + 1]?.from ?? end;
    const slice = { from: Math.max(begin, from), to: Math.min(end, next), request };
    return slice.to > slice.from ? [slice] : [];
  });
}

function integrate(life: PodLife, slices: readonly Slice[], model: UsageModel) {
  const requested = { cpuNanocoreSeconds: 0n, memoryByteSeconds: 0n, gpuSeconds: 0n };
  const used = { cpuNanocoreSeconds: 0n, memoryByteSeconds: 0n };
  const charged = { cpuNanocoreSeconds: 0n, memoryByteSeconds: 0n };
  for (const slice of slices) {
    const { cpu, memory, gpus } = exact(slice.request);
    const length = BigInt(slice.to - slice.from);
    requested.cpuNanocoreSeconds += cpu * length;
    requested.memoryByteSeconds += memory * length;
    requested.gpuSeconds += gpus * length;
    for (const { seconds, usedCpu, usedMemory } of usageSteps(life, slice, model)) {
      used.cpuNanocoreSeconds += usedCpu * seconds;
      used.memoryByteSeconds += usedMemory * seconds;
      charged.cpuNanocoreSeconds += largest(cpu, usedCpu) * seconds;
      charged.memoryByteSeconds += largest(memory, usedMemory) * seconds;
    }
  }
  return { requested, used, charged } satisfies { requested: Integral; used: Integral; charged: Integral };
}

/** Cuts a slice where usage changes: at each step, and where the containers start. */
function* usageSteps(life: PodLife, slice: Slice, model: UsageModel) {
  let at = slice.from;
  while (at < slice.to) {
    const starts = life.runsFrom ?? slice.to;
    const running = at >= starts;
    const stepEnd = (Math.floor(at / USAGE_STEP_SECONDS) + 1) * USAGE_STEP_SECONDS;
    const until = Math.min(slice.to, running ? stepEnd : starts);
    const usage = running ? usageOf(life.profile, life.salt, at, model) : { cpuNanocores: 0, memoryKib: 0 };
    yield {
      seconds: BigInt(until - at),
      usedCpu: BigInt(usage.cpuNanocores),
      usedMemory: BigInt(usage.memoryKib) * 1024n,
    };
    at = until;
  }
}

function showStretch({ from, to, request }: Slice): RequestStretch {
  const { cpu, memory, gpus } = exact(request);
  return { from: timestamp(from), to: timestamp(to), cpuNanocores: cpu, memoryBytes: memory, gpus };
}

/** Nanocores, bytes, devices. */
function exact(request: Request): { cpu: bigint; memory: bigint; gpus: bigint } {
  return {
    cpu: BigInt(request.cpuMillicores) * 1_000_000n,
    memory: BigInt(request.memoryMib) * 1_048_576n,
    gpus: BigInt(request.gpus),
  };
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
