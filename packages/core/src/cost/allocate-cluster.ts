import type { CostNanos, Currency } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import { podsByNode } from "../capacity/pods-by-node.ts";
import type { UsageFigures } from "../capacity/usage-figures.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { allocateNode, type CostShare } from "./allocate-node.ts";
import { allocateVirtualNode } from "./allocate-virtual-node.ts";
import { chargedPod } from "./charged-pod.ts";
import { DEFAULT_PRICE_LIST } from "./default-prices.ts";
import { nodeCost } from "./node-cost.ts";
import { type NodePrice, type PriceList, type Pricing, resolvePrice } from "./price-book.ts";

/** Choices about cost. */
export interface CostOptions {
  /** Prices; default: the default book alone, in USD. */
  readonly prices?: PriceList;
  /** Namespaces whose pods count as system. Default: none. */
  readonly systemNamespaces?: ReadonlySet<string>;
}

/** One node of the allocation: what it costs an hour and where that price is from. */
export interface AllocatedNode {
  readonly name: string;
  readonly source: string;
  readonly pricing: Pricing;
  readonly cost: CostNanos;
  /** Resources whose charged shares were rescaled to allocatable. */
  readonly overCommitted: readonly string[];
}

/** One hour of a cluster: every share of every priced node. Σ shares of a node = its cost, exactly. */
export interface Allocation {
  readonly currency: Currency;
  readonly shares: readonly CostShare[];
  readonly nodes: readonly AllocatedNode[];
  /** Nodes without a price, sorted: they and their pods are missing from every sum. */
  readonly unpriced: readonly string[];
}

/**
 * Prices every node (also those that are NotReady or cordoned: they cost money too) and allocates one hour of it. The order
 * of nodes and pods changes nothing.
 */
export function allocateCluster(
  nodes: readonly NodeFacts[],
  pods: readonly PodDemand[],
  usage: UsageFigures | null,
  options: CostOptions = {},
): Allocation {
  const prices = options.prices ?? DEFAULT_PRICE_LIST;
  const byNode = podsByNode(pods);
  const shares: CostShare[] = [];
  const allocated: AllocatedNode[] = [];
  const unpriced: string[] = [];
  for (const node of [...nodes].sort((a, b) => compareText(a.name, b.name))) {
    const result = priceAndAllocate(node, [...(byNode.get(node.name) ?? [])].sort(comparePods), usage, prices);
    if (!result) {
      unpriced.push(node.name);
      continue;
    }
    allocated.push(result.node);
    for (const share of result.shares) shares.push(withPolicy(share, options.systemNamespaces));
  }
  return { currency: prices.currency, shares, nodes: allocated, unpriced };
}

interface PricedNode {
  readonly node: AllocatedNode;
  readonly shares: readonly CostShare[];
}

function priceAndAllocate(
  node: NodeFacts,
  pods: readonly PodDemand[],
  usage: UsageFigures | null,
  prices: PriceList,
): PricedNode | undefined {
  const price = resolvePrice(node, prices);
  if (!price) return undefined;
  if (node.virtual) {
    if (price.kind !== "unit") return undefined;
    const shares = allocateVirtualNode(node, price.rates, pods);
    return { node: allocatedNode(node, price, sumOfShares(shares), []), shares };
  }
  const cost = nodeCost(node, price);
  if (!cost) return undefined;
  const charged = pods.map((pod) => chargedPod(pod, usage));
  const { shares, overCommitted } = allocateNode(node, cost, charged);
  return { node: allocatedNode(node, price, cost.cost, overCommitted), shares };
}

function allocatedNode(
  node: NodeFacts,
  { source, pricing }: NodePrice,
  cost: CostNanos,
  overCommitted: readonly string[],
): AllocatedNode {
  return { name: node.name, source, pricing, cost, overCommitted };
}

function withPolicy(share: CostShare, systemNamespaces: ReadonlySet<string> | undefined): CostShare {
  return share.pod && systemNamespaces?.has(share.pod.namespace) ? { ...share, kind: "system" } : share;
}

/** Σ cost of shares. */
export function sumOfShares(shares: readonly Pick<CostShare, "cost">[]): CostNanos {
  return shares.reduce((total, { cost }) => total + cost, 0n);
}

function comparePods(a: PodDemand, b: PodDemand): number {
  return (
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.pod.metadata.uid, b.pod.metadata.uid)
  );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
