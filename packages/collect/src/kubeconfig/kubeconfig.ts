/** Name of the context that stands for the service account of the pod this runs in. */
export const IN_CLUSTER = "in-cluster";

/** One context of a kubeconfig: a name for a cluster together with the credentials to use. */
export interface KubeContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
  /** Address of the API server; undefined when the cluster entry is missing or names none. */
  readonly server?: string;
}

/** A cluster entry. Paths are absolute: a relative one counts from the folder of its file. */
export interface ClusterEntry {
  readonly server: string;
  readonly certificateAuthorityFile?: string;
  /** Base64 of PEM. */
  readonly certificateAuthorityData?: string;
  readonly insecure?: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
}

/** How a credential plug-in is run. */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  readonly provideClusterInfo: boolean;
  readonly installHint?: string;
}

/** A user entry: several means may stand side by side. */
export interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly clientCertificateFile?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyFile?: string;
  readonly clientKeyData?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecEntry;
  readonly authProvider?: { readonly name: string; readonly idToken?: string };
  /** Impersonation headers of every request. */
  readonly impersonation?: Readonly<Record<string, string | string[]>>;
}

/** The entries of one kubeconfig file, or of several merged, by name. */
export interface KubeconfigEntries {
  readonly currentContext?: string;
  readonly contexts: ReadonlyMap<string, Omit<KubeContext, "server">>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
}

/** A kubeconfig as read and merged. Credentials are held in private: neither a log nor JSON of it can show them. */
export class Kubeconfig {
  /** The files it came from; empty for the service account of a pod. */
  readonly paths: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: readonly KubeContext[];
  readonly #entries: KubeconfigEntries;

  constructor(paths: readonly string[], entries: KubeconfigEntries) {
    this.paths = paths;
    this.#entries = entries;
    this.currentContext = entries.currentContext;
    this.contexts = [...entries.contexts.values()].map((context) => {
      return { ...context, server: entries.clusters.get(context.cluster)?.server };
    });
  }

  clusterEntry(name: string): ClusterEntry | undefined {
    return this.#entries.clusters.get(name);
  }

  userEntry(name: string): UserEntry | undefined {
    return this.#entries.users.get(name);
  }
}
