/** What is wrong with a cluster for as long as it exists. */
export type Sickness =
  | "none"
  /** The API answers 503 for three minutes of each quarter of an hour. */
  | "api-outages"
  /** Every answer takes seconds. */
  | "slow-api"
  /** metrics.k8s.io is not served. */
  | "no-metrics"
  /** Some nodes are NotReady, one comes and goes. */
  | "nodes-not-ready"
  /** Kubelets are one release behind, as in the middle of an upgrade that nobody ended. */
  | "old-kubelets";

const BY_PLACE: Readonly<Record<number, Sickness>> = {
  5: "nodes-not-ready",
  9: "old-kubelets",
  11: "slow-api",
  13: "api-outages",
  16: "no-metrics",
};

/** Sickness of the cluster with this index: five in twenty have one. */
export function sicknessAt(index: number): Sickness {
  return BY_PLACE[index % 20] ?? "none";
}
