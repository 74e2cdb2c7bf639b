import { LAB } from "./lab.ts";
import type { ClusterPlan } from "./plan.ts";
import { SHOP_CN } from "./shop-cn.ts";
import { SHOP_EU } from "./shop-eu.ts";

/** The clusters of examples/dump: invented, after the forms of EKS, ACK and kind. */
export const EXAMPLE_CLUSTERS: readonly ClusterPlan[] = [SHOP_EU, SHOP_CN, LAB];
