/** What a kubeconfig says of one cluster. */
export interface KubeconfigCluster {
  readonly name: string;
  readonly server: string;
  readonly token: string;
}

/** A kubeconfig with one context per cluster, named as the cluster; the first is the current one. */
export function kubeconfigText(clusters: readonly KubeconfigCluster[]): string {
  const text = (value: string) => JSON.stringify(value);
  const entries = (render: (cluster: KubeconfigCluster) => string) => clusters.map(render).join("\n");
  return [
    "# Simulated clusters of Plimsoll. None of them is real.",
    "apiVersion: v1",
    "kind: Config",
    `current-context: ${text(clusters[0]?.name ?? "")}`,
    "clusters:",
    entries(({ name, server }) => `- name: ${text(name)}\n  cluster:\n    server: ${text(server)}`),
    "contexts:",
    entries(({ name }) => `- name: ${text(name)}\n  context:\n    cluster: ${text(name)}\n    user: ${text(name)}`),
    "users:",
    entries(({ name, token }) => `- name: ${text(name)}\n  user:\n    token: ${text(token)}`),
    "",
  ].join("\n");
}
