import type { Amounts } from "../records/amounts.ts";
import type { ContainerTemplate, Labels, PodTemplate } from "../records/pod-template.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentAmounts, presentResources } from "./present-amounts.ts";

const TOKEN_MOUNT = {
  name: "kube-api-access",
  readOnly: true,
  mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
};

/** `spec.template` of a workload. */
export function presentTemplate(template: PodTemplate, labels: Labels): KubeJson {
  return {
    metadata: { creationTimestamp: null, labels, annotations: template.annotations },
    spec: presentPodSpec(template),
  };
}

/** The part of a pod's spec that its template decides. `first`: other requests of the first container, after a resize. */
export function presentPodSpec(template: PodTemplate, first?: Amounts): Record<string, unknown> {
  const { initContainers, overhead, runtimeClass, priorityClass } = template;
  return {
    initContainers:
      initContainers.length === 0
        ? undefined
        : initContainers.map((container) => ({
            ...presentContainer(container),
            restartPolicy: container.sidecar ? "Always" : undefined,
          })),
    containers: template.containers.map((container, index) =>
      presentContainer(index === 0 && first !== undefined ? { ...container, requests: first } : container),
    ),
    restartPolicy: template.runsOnce ? "Never" : "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    serviceAccountName: template.serviceAccount,
    hostNetwork: template.mirror,
    securityContext: {},
    schedulerName: "default-scheduler",
    priorityClassName: priorityClass,
    runtimeClassName: runtimeClass,
    overhead: overhead && presentAmounts(overhead),
    tolerations: tolerationsOf(template),
  };
}

function presentContainer(container: ContainerTemplate): KubeJson {
  return {
    name: container.name,
    image: container.image,
    // Nobody who reads a fleet needs these; they are here so that a reader that keeps them is found out.
    env: [
      { name: "LOG_LEVEL", value: "info" },
      { name: "UPSTREAM", value: "http://upstream.example.internal" },
    ],
    resources: presentResources(container.requests, container.limits),
    volumeMounts: [TOKEN_MOUNT],
    livenessProbe: { httpGet: { path: "/live", port: 8080, scheme: "HTTP" }, timeoutSeconds: 1, periodSeconds: 10 },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
  };
}

function tolerationsOf({ pool }: PodTemplate): readonly KubeJson[] {
  const gone = { operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
  if (pool === "every-node") return [{ operator: "Exists" }];
  return [
    { key: "node.kubernetes.io/not-ready", ...gone },
    { key: "node.kubernetes.io/unreachable", ...gone },
    ...(pool === "gpu" ? [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }] : []),
    ...(pool === "virtual" ? [{ key: "virtual-kubelet.io/provider", operator: "Exists", effect: "NoSchedule" }] : []),
    ...(pool === "spot" ? [{ key: "kubernetes.azure.com/scalesetpriority", operator: "Exists" }] : []),
  ];
}
