import type { ApiClient } from "./api-client.ts";
import { LIMITED_USER } from "./credentials.ts";

/** Rights for everything that a scan reads, except nodes, persistent volumes and nodes' usage. */
export async function grantLimitedUser(api: ApiClient): Promise<void> {
  const name = "testbed-without-nodes";
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const verbs = ["get", "list", "watch"];
  const core = ["namespaces", "pods", "persistentvolumeclaims", "services", "resourcequotas"];
  await api.post(`${rbac}/clusterroles`, {
    metadata: { name },
    rules: [
      { apiGroups: [""], resources: core, verbs },
      { apiGroups: ["apps"], resources: ["deployments", "replicasets", "statefulsets", "daemonsets"], verbs },
      { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs },
      { apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs },
    ],
  });
  await api.post(`${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: LIMITED_USER }],
  });
}

/** Sends metrics.k8s.io to metrics-server on this machine: the service is only another name for localhost. */
export async function registerMetricsApi(api: ApiClient, port: number): Promise<void> {
  const service = { name: "metrics-server", namespace: "kube-system" };
  await api.post("/api/v1/namespaces/kube-system/services", {
    metadata: service,
    spec: { type: "ExternalName", externalName: "localhost", ports: [{ port, protocol: "TCP" }] },
  });
  await api.post("/apis/apiregistration.k8s.io/v1/apiservices", {
    metadata: { name: "v1beta1.metrics.k8s.io" },
    spec: {
      group: "metrics.k8s.io",
      version: "v1beta1",
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { ...service, port },
    },
  });
}
