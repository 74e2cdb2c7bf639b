export { type CollectOptions, collectCluster } from "./cluster/collect-cluster.ts";
export type { CollectProgress, ProgressListener } from "./cluster/progress.ts";
export { type Clock, type Random, systemClock } from "./kube/clock.ts";
export type { KubeConnection, RequestOptions, StreamOptions } from "./kube/connection.ts";
export { KUBE_RESOURCES, RESOURCE_PATHS, type ResourcePath } from "./kube/resources.ts";
export type { KubeContext, Kubeconfig } from "./kubeconfig/kubeconfig.ts";
export { type OpenOptions, openContext } from "./kubeconfig/open-context.ts";
export { type KubeconfigOptions, readKubeconfig } from "./kubeconfig/read-kubeconfig.ts";
export { createProjectors, type Projectors } from "./projection/projectors.ts";
