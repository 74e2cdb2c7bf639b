import type { ApiClient } from "./api-client.ts";

/** How a cluster is started. */
export interface ClusterOptions {
  /** Display name; used in the temporary folder and in the kubeconfig's context. */
  readonly name: string;
  /** What `/version` answers, for example v1.34.2-eks-4f4795d. Features stay those of the built version (1.36). */
  readonly gitVersion: string;
  /** Run metrics-server over kwok's kubelet endpoint, so that metrics.k8s.io answers. Implies kwok. Default: false. */
  readonly usage?: boolean;
  /** Run kwok: nodes become Ready, pods run, Jobs end. Default: true. */
  readonly kwok?: boolean;
  /** Run controller-manager and scheduler. Default: true; false leaves a bare API server (fastest, smallest). */
  readonly controllers?: boolean;
  /** Further kube-apiserver flags, such as --watch-cache=false. They come last, so they win. */
  readonly apiServerFlags?: readonly string[];
  /** Aborting ends the start (and what was started) at once. */
  readonly signal?: AbortSignal;
}

/** Credentials that every cluster has, by what they are good for. */
export interface ClusterTokens {
  /** Group system:masters. */
  readonly admin: string;
  /** May list everything that `scan` reads, except nodes, persistent volumes and metrics of nodes. */
  readonly withoutNodes: string;
  /** A user without a single right: every list is 403. */
  readonly withoutRights: string;
  /** Well-formed and unknown: 401. */
  readonly invalid: string;
  /** A service account token that was good until an hour ago: 401. */
  readonly expired: string;
}

/** One child process of a cluster. */
export interface ClusterProcess {
  readonly name: "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kwok" | "metrics-server";
  readonly pid: number;
  readonly logFile: string;
}

/** A running cluster as plain data: can be written to JSON and handed to another process, see `attachCluster`. */
export interface ClusterInfo {
  readonly name: string;
  readonly gitVersion: string;
  /** https://127.0.0.1:PORT */
  readonly server: string;
  readonly caFile: string;
  /** Path of a kubeconfig with one context (named as the cluster) and the admin token. */
  readonly kubeconfig: string;
  readonly tokens: ClusterTokens;
  /** Client certificate of a user in system:masters (PEM), for tests of certificate sign-in. */
  readonly clientCertificate: { readonly certFile: string; readonly keyFile: string };
  /** The same user's certificate, over since an hour. */
  readonly expiredCertificate: { readonly certFile: string; readonly keyFile: string };
  /** UID of namespace kube-system. */
  readonly kubeSystemUid: string;
  /** http://127.0.0.1:PORT of the cluster's own etcd. */
  readonly etcd: string;
  /** Temporary folder: logs, keys, data. Gone after `stop`. */
  readonly dir: string;
  /** Program and leading arguments of kubectl, without --kubeconfig. */
  readonly kubectlCommand: readonly [string, string];
  readonly processes: readonly ClusterProcess[];
}

/** A running cluster with ways to use it. */
export interface Cluster extends ClusterInfo {
  /** The admin token, same as `tokens.admin`. */
  readonly token: string;
  /** JSON requests as admin. */
  readonly api: ApiClient;
  /** Runs kubectl as admin and gives its standard output; rejects with its standard error when it fails. */
  kubectl(args: readonly string[], options?: { readonly input?: string }): Promise<string>;
  /**
   * Compacts etcd up to now and gives the revision. The API server's cache still knows the past; only with the flag
   * --watch-cache=false do lists and watches from older resource versions answer 410.
   */
  compact(): Promise<number>;
  /** Ends every process and removes the folder. May be called twice; does nothing for an attached cluster. */
  stop(): Promise<void>;
}

/** The plain data of a cluster, without its verbs. */
export function clusterInfo(cluster: Cluster): ClusterInfo {
  const { token: _token, api: _api, kubectl: _kubectl, compact: _compact, stop: _stop, ...info } = cluster;
  return info;
}
