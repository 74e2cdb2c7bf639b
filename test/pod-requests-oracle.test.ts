import { isDeepStrictEqual } from "node:util";
import type { KubePod, ResourceNanos } from "@plimsoll/contracts";
import { PlimsollError } from "@plimsoll/contracts";
import { podChargedRequests, podLimits, podRequests, tryParseQuantity } from "@plimsoll/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, askOracle, type Decimal } from "./oracle/ask-oracle.ts";
import { buildOracle } from "./oracle/build.ts";
import { generatePod, type PodJson } from "./oracle/generate-pods.ts";
import { generateQuantity } from "./oracle/generate-quantities.ts";
import { seededRandom, seedOfRun } from "./oracle/random.ts";

const QUANTITIES = 20_000;
const PODS = 5_000;
/** Values with more digits are refused by us; upstream cannot compute with them either. */
const MAX_DIGITS = 1_000;

const seed = seedOfRun();
let program = "";

beforeAll(() => {
  program = buildOracle();
  console.log(`oracle: seed ${seed} (repeat with SEED=${seed})`);
});

describe("against Kubernetes' own libraries", () => {
  test(`${QUANTITIES} quantity texts are worth the same, or are refused alike`, () => {
    const random = seededRandom(seed);
    const texts = Array.from({ length: QUANTITIES }, () => generateQuantity(random));
    const questions = texts.map((quantity) => ({ quantity }));
    const upstream = askOracle(program, questions).map(({ value }) => value && nanosOf(value));
    const refused = upstream.filter((value) => value === undefined).length;
    console.log(`oracle: ${QUANTITIES} quantities, ${new Set(texts).size} different, ${refused} refused by upstream`);
    const differences = texts
      .map((text, i) => ({ text, ours: tryParseQuantity(text), upstream: upstream[i] }))
      .filter(({ ours, upstream }) => ours !== upstream);
    expect(differences.slice(0, 5)).toEqual([]);
    expect(refused).toBeGreaterThan(QUANTITIES / 20);
    expect(refused).toBeLessThan(QUANTITIES / 2);
  });

  test(`${PODS} pods request and may use the same; what we refuse, upstream refuses`, () => {
    const pods = generatePods();
    const answers = askOracle(
      program,
      pods.map((pod) => ({ pod })),
    );
    const features = countFeatures(pods, answers);
    console.log(`oracle: ${PODS} pods with ${JSON.stringify(features)}`);
    const differences = pods
      .map((pod, i) => ({ pod: JSON.stringify(pod), ours: ourFigures(pod), upstream: upstreamFigures(answers[i]) }))
      .filter(({ ours, upstream }) => !isDeepStrictEqual(ours, upstream))
      // Upstream refuses a pod for any value that is no quantity, we only for one that counts.
      .filter(({ ours, upstream }) => upstream !== "refused" || ours === "refused");
    expect(differences.slice(0, 3)).toEqual([]);
    for (const [feature, count] of Object.entries(features)) expect(count, feature).toBeGreaterThan(0);
  });

  test("once initialized, a pod is charged what upstream says of it without its ordinary init containers", () => {
    const pods = generatePods().map(initialized);
    const answers = askOracle(
      program,
      pods.map((pod) => ({ pod: withoutOrdinaryInit(pod) })),
    );
    const compared = pods
      .map((pod, i) => ({ pod: JSON.stringify(pod), ours: ourCharge(pod), upstream: answers[i] }))
      .filter(({ ours, upstream }) => ours !== "refused" && upstream?.error === undefined);
    const differences = compared.filter(
      ({ ours, upstream }) => !isDeepStrictEqual(ours, nanosOfList(upstream?.requestsPodLevelResize)),
    );
    expect(differences.slice(0, 3)).toEqual([]);
    expect(compared.length).toBeGreaterThan(PODS / 2);
  });
});

function generatePods(): readonly PodJson[] {
  const random = seededRandom(seed + 1);
  return Array.from({ length: PODS }, (_, index) => generatePod(random, index));
}

/** As an API answer or a dump would bring it. */
function kubePod(pod: PodJson): KubePod {
  return JSON.parse(JSON.stringify(pod));
}

interface Figures {
  readonly requests: ResourceNanos;
  readonly limits: ResourceNanos;
}

function ourFigures(pod: PodJson): Figures | "refused" {
  return unlessRefused(() => ({ requests: podRequests(kubePod(pod)), limits: podLimits(kubePod(pod)).limits }));
}

function ourCharge(pod: PodJson): ResourceNanos | "refused" {
  return unlessRefused(() => podChargedRequests(kubePod(pod)));
}

function unlessRefused<T>(compute: () => T): T | "refused" {
  try {
    return compute();
  } catch (error) {
    if (error instanceof PlimsollError && error.code === "quantity_invalid") return "refused";
    throw error;
  }
}

function upstreamFigures(answer: Answer | undefined): Figures | "refused" {
  if (!answer || answer.error !== undefined) return "refused";
  return { requests: nanosOfList(answer.requestsPodLevelResize), limits: nanosOfList(answer.limitsPodLevelResize) };
}

function nanosOfList(list: ReadonlyMap<string, Decimal> | undefined): ResourceNanos {
  return new Map([...(list ?? [])].map(([name, value]) => [name, nanosOf(value) ?? 0n]));
}

/** Upstream's decimal in nano-units; undefined where it is longer than we accept. */
function nanosOf({ unscaled, scale }: Decimal): bigint | undefined {
  const power = 9 - scale;
  if (unscaled === 0n) return 0n;
  if (unscaled.toString().replace("-", "").length + power > MAX_DIGITS) return undefined;
  if (power >= 0) return unscaled * 10n ** BigInt(power);
  if (unscaled % 10n ** BigInt(-power) !== 0n) throw new Error(`finer than nano: ${unscaled} × 10^-${scale}`);
  return unscaled / 10n ** BigInt(-power);
}

function initialized(pod: PodJson): PodJson {
  const conditions = pod.status?.conditions;
  const others = Array.isArray(conditions) ? conditions.filter(({ type }) => type !== "Initialized") : [];
  return { ...pod, status: { ...pod.status, conditions: [...others, { type: "Initialized", status: "True" }] } };
}

function withoutOrdinaryInit(pod: PodJson): PodJson {
  const initContainers = pod.spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always") ?? [];
  return { ...pod, spec: { ...pod.spec, initContainers } };
}

/** How often each case that changes a pod's figures really occurred. */
function countFeatures(pods: readonly PodJson[], answers: readonly Answer[]): Readonly<Record<string, number>> {
  const count = (has: (pod: PodJson, answer: Answer | undefined) => boolean): number =>
    pods.filter((pod, i) => has(pod, answers[i])).length;
  return {
    sidecars: count((pod) => pod.spec.initContainers?.some((c) => c.restartPolicy === "Always") ?? false),
    ordinaryInit: count((pod) => pod.spec.initContainers?.some((c) => c.restartPolicy !== "Always") ?? false),
    overhead: count((pod) => Boolean(pod.spec.overhead)),
    podLevel: count((pod) => Boolean(pod.spec.resources)),
    infeasible: count((pod) => JSON.stringify(pod.status ?? {}).includes("Infeasible")),
    statusResourcesMatter: count((pod, answer) => {
      const { status: _, ...spec } = pod;
      return answer !== undefined && !isDeepStrictEqual(ourFigures(spec), upstreamFigures(answer));
    }),
    podLevelResizeMatters: count(
      (_, answer) => answer !== undefined && !isDeepStrictEqual(answer.requests, answer.requestsPodLevelResize),
    ),
    extendedResources: count((_, answer) => answer?.requests.has("nvidia.com/gpu") ?? false),
    refused: count((pod, answer) => answer?.error !== undefined && ourFigures(pod) === "refused"),
  };
}
