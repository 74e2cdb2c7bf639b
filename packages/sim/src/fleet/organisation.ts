import type { NonEmpty } from "../random/non-empty.ts";

/** A team with the services it runs. */
export interface Team {
  readonly name: string;
  readonly costCenter: string;
  readonly services: NonEmpty<string>;
}

/** A business unit of the company that the simulated fleet belongs to. */
export interface BusinessUnit {
  readonly name: string;
  /** Start of its clusters' names. */
  readonly short: string;
  readonly tenant: string;
  readonly teams: NonEmpty<Team>;
}

/** The company: invented, like everything in the simulated fleet. */
export const BUSINESS_UNITS: NonEmpty<BusinessUnit> = [
  {
    name: "payments",
    short: "pay",
    tenant: "harbour-pay",
    teams: [
      { name: "checkout", costCenter: "CC-1010", services: ["checkout-api", "checkout-web", "basket", "coupons"] },
      { name: "ledger", costCenter: "CC-1020", services: ["ledger", "settlement", "payouts", "statements"] },
      { name: "risk", costCenter: "CC-1030", services: ["fraud-score", "limits", "sanctions"] },
    ],
  },
  {
    name: "retail",
    short: "shop",
    tenant: "harbour-retail",
    teams: [
      { name: "storefront", costCenter: "CC-2010", services: ["storefront", "product-pages", "images", "sessions"] },
      { name: "search", costCenter: "CC-2020", services: ["search-api", "suggest", "indexer", "ranking"] },
      { name: "orders", costCenter: "CC-2030", services: ["orders", "returns", "invoices", "notifier"] },
    ],
  },
  {
    name: "logistics",
    short: "log",
    tenant: "harbour-cargo",
    teams: [
      { name: "routing", costCenter: "CC-3010", services: ["route-planner", "map-tiles", "eta", "geocoder"] },
      { name: "warehouse", costCenter: "CC-3020", services: ["stock", "picking", "labels", "scanner-gateway"] },
    ],
  },
  {
    name: "data",
    short: "data",
    tenant: "harbour-group",
    teams: [
      { name: "pipelines", costCenter: "CC-4010", services: ["collector", "enricher", "sessionizer", "exporter"] },
      { name: "ml-serving", costCenter: "CC-4020", services: ["recommend", "vision", "embeddings", "features"] },
      { name: "reporting", costCenter: "CC-4030", services: ["dashboards", "queries", "snapshots"] },
    ],
  },
  {
    name: "shared-services",
    short: "core",
    tenant: "harbour-group",
    teams: [
      { name: "identity", costCenter: "CC-5010", services: ["sign-in", "accounts", "tokens", "directory"] },
      { name: "messaging", costCenter: "CC-5020", services: ["mailer", "push-gateway", "webhooks", "templates"] },
    ],
  },
];

/** Environments of clusters, in the spelling of their labels; production is the most common one. */
export const ENVIRONMENT_LABELS: NonEmpty<string> = ["prod", "prod", "staging", "prod", "dev", "prod", "test"];

/** Spellings of `env` that people really write, some of which mean nothing to anybody. */
export const ODD_ENVIRONMENT_LABELS: NonEmpty<string> = ["production", "pre", "Prod", "live", "qa2"];
