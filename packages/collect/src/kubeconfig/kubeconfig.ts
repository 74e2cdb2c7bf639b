/** One context of a kubeconfig: a name for a cluster together with the credentials to use. */
export interface KubeContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
  /** Address of the API server; undefined when the cluster entry is missing or names none. */
  readonly server?: string;
}

/** A kubeconfig as read and merged from its files. Credentials stay inside: nothing here may be printed by mistake. */
export interface Kubeconfig {
  /** The files it came from; empty for the service account of a pod. */
  readonly paths: readonly string[];
  readonly currentContext?: string;
  readonly contexts: readonly KubeContext[];
}
