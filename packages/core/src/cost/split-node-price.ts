import { dividedBy, type Fraction, minusToZero, sum, times, ZERO } from "./fraction.ts";

/** One figure each of cpu (cores), ram (GiB) and gpu (physical cards). */
export interface PerKind {
  readonly cpu: Fraction;
  readonly ram: Fraction;
  readonly gpu: Fraction;
}

/**
 * Splits the price of a whole node over its capacity: prices of one unit that stand in the ratio of `weights` and together
 * make the price. A known GPU price is taken off first (× count); what is left is split over cpu and ram. Undefined when
 * nothing has a weight. Formula: unit price = price × weight ÷ Σ (weight × capacity). Vectors: node-split.json.
 */
export function splitNodePrice(
  price: Fraction,
  capacity: PerKind,
  weights: PerKind,
  gpuEach?: Fraction,
): PerKind | undefined {
  if (gpuEach === undefined || capacity.gpu.num === 0n) return byWeights(price, capacity, weights);
  const rest = byWeights(minusToZero(price, times(gpuEach, capacity.gpu)), capacity, { ...weights, gpu: ZERO });
  // Cards that are dearer than the whole node: the node's price is the truth, all of it is theirs.
  const affordable = minusToZero(gpuEach, minusToZero(gpuEach, dividedBy(price, capacity.gpu)));
  return rest && { ...rest, gpu: affordable };
}

function byWeights(price: Fraction, capacity: PerKind, weights: PerKind): PerKind | undefined {
  const weighed = sum([
    times(weights.cpu, capacity.cpu),
    times(weights.ram, capacity.ram),
    times(weights.gpu, capacity.gpu),
  ]);
  if (weighed.num === 0n) return undefined;
  const unit = (weight: Fraction): Fraction => dividedBy(times(price, weight), weighed);
  return { cpu: unit(weights.cpu), ram: unit(weights.ram), gpu: unit(weights.gpu) };
}
