import type { Labels, PodTemplate } from "../records/pod-template.ts";

/** What a workload is asked to be. */
export interface WorkloadOrder {
  readonly namespace: string;
  readonly name: string;
  readonly template: PodTemplate;
  /** Labels of the workload itself. */
  readonly labels: Labels;
  /** Labels that select its pods. */
  readonly selector: Labels;
  /** Replicas at the night's lowest and the day's highest load; the same when it does not scale. */
  readonly minReplicas: number;
  readonly maxReplicas: number;
}
