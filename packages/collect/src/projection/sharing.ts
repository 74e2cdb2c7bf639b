import type {
  KubeCondition,
  KubeContainer,
  KubeContainerStatus,
  OwnerReference,
  ResourceRequirements,
} from "@plimsoll/contracts";
import { createPool, type Pool } from "./pool.ts";

/** The pools of one set of projections: what the objects of a cluster repeat, by type. */
export interface Sharing {
  readonly text: Pool<string>;
  /** Labels, quantities and other texts by key. */
  readonly texts: Pool<Readonly<Record<string, string>>>;
  readonly resources: Pool<ResourceRequirements>;
  readonly containers: Pool<readonly KubeContainer[]>;
  readonly containerStatuses: Pool<readonly KubeContainerStatus[]>;
  readonly conditions: Pool<KubeCondition>;
  readonly owners: Pool<readonly OwnerReference[]>;
}

/** Empty pools. */
export function createSharing(): Sharing {
  return {
    text: createPool(),
    texts: createPool(),
    resources: createPool(),
    containers: createPool(),
    containerStatuses: createPool(),
    conditions: createPool(),
    owners: createPool(),
  };
}
