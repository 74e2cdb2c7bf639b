import type { QuantityNanos } from "@plimsoll/contracts";

/** How many physical cards one unit of a GPU resource is: `numerator ÷ denominator`. */
export interface CardShare {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Whole cards, also those that time slicing shares out. */
const CARD = /^(nvidia\.com\/gpu(\.shared)?|amd\.com\/gpu|gpu\.intel\.com\/(i915|xe))$/;
/** A MIG slice: `mig-2g.10gb` has two of a card's seven compute slices. */
const MIG_SLICE = /^nvidia\.com\/mig-([1-7])g\./;
const SLICES_PER_CARD = 7n;

/**
 * The share of a card that one unit of `resource` is on a node with these labels; undefined when it is no GPU resource.
 * Time slicing announces each card `nvidia.com/gpu.replicas` times.
 */
export function cardShare(resource: string, labels: Readonly<Record<string, string>>): CardShare | undefined {
  const slices = MIG_SLICE.exec(resource)?.[1];
  if (slices !== undefined) return { numerator: BigInt(slices), denominator: SLICES_PER_CARD };
  if (!CARD.test(resource)) return undefined;
  return { numerator: 1n, denominator: resource.startsWith("nvidia.com/") ? replicas(labels) : 1n };
}

/** Physical cards over all GPU resources of a node, nano-units, rounded down. */
export function physicalCards(
  capacity: ReadonlyMap<string, QuantityNanos>,
  labels: Readonly<Record<string, string>>,
): QuantityNanos {
  let cards = 0n;
  // Seven slices of a seventh are one card: the slices are summed before they are divided.
  let slices = 0n;
  for (const [resource, nanos] of capacity) {
    const share = cardShare(resource, labels);
    if (share === undefined) continue;
    if (MIG_SLICE.test(resource)) slices += nanos * share.numerator;
    else cards += (nanos * share.numerator) / share.denominator;
  }
  return cards + slices / SLICES_PER_CARD;
}

function replicas(labels: Readonly<Record<string, string>>): bigint {
  const text = labels["nvidia.com/gpu.replicas"] ?? "";
  return /^[1-9]\d{0,3}$/.test(text) ? BigInt(text) : 1n;
}
