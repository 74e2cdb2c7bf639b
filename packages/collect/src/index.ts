export { type CollectOptions, collectCluster } from "./cluster/collect-cluster.ts";
export type { CollectProgress, ProgressListener } from "./cluster/progress.ts";
export { DUMP_LIMITS, type DumpLimits } from "./dump/dump-limits.ts";
export { type DumpProgress, type ReadDumpOptions, readDump } from "./dump/read-dump.ts";
export { type WriteDumpOptions, writeDump } from "./dump/write-dump.ts";
export { type BackOff, backOffMs } from "./kube/back-off.ts";
export { type Clock, type Random, sleep, systemClock } from "./kube/clock.ts";
export type { KubeConnection, RequestOptions, StreamOptions } from "./kube/connection.ts";
export { type Credential, type CredentialSource, fixedCredential } from "./kube/credential.ts";
export { createHttpConnection, type HttpConnectionSettings } from "./kube/http-connection.ts";
export { createLimiter, type Limiter } from "./kube/limiter.ts";
export { type ListWatchOptions, listWatch, type WatchEvent, type WatchState } from "./kube/list-watch.ts";
export { type Listed, type ListResult, type PagedListOptions, pagedList } from "./kube/paged-list.ts";
export { KUBE_RESOURCES, RESOURCE_PATHS, type ResourcePath } from "./kube/resources.ts";
export { type KubeContext, Kubeconfig } from "./kubeconfig/kubeconfig.ts";
export { type OpenOptions, openContext } from "./kubeconfig/open-context.ts";
export { parseKubeconfig } from "./kubeconfig/parse-kubeconfig.ts";
export { type KubeconfigOptions, readKubeconfig } from "./kubeconfig/read-kubeconfig.ts";
export { createProjectors, type Projectors } from "./projection/projectors.ts";
export { type KubeletRead, kubeletUsage } from "./usage/kubelet-usage.ts";
export { type MetricsApiUsage, readMetricsApi } from "./usage/metrics-api.ts";
export {
  type KubeletOptions,
  type KubeletReader,
  kubeletDirect,
  kubeletThroughApi,
  readKubelets,
} from "./usage/read-kubelets.ts";
