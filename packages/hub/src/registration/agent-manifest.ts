/** What the manifest of an agent is filled with. */
export interface ManifestFacts {
  readonly hubUrl: string;
  readonly token: string;
  readonly clusterName: string;
  readonly image: string;
}

/**
 * Rights of an agent, each group with its reason: those of `deploy/rbac/agent.yaml`. It reads only, and no secrets. Not
 * `nodes/proxy`: whoever holds that can run commands in any container.
 */
const RULES: readonly {
  readonly why: string;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}[] = [
  {
    why: "what runs where, what it requests, and whom it belongs to",
    groups: [""],
    resources: ["nodes", "namespaces", "pods"],
    verbs: ["list", "watch"],
  },
  {
    why: "from a pod to its workload, and the versions of add-ons",
    groups: ["apps"],
    resources: ["deployments", "replicasets", "statefulsets", "daemonsets"],
    verbs: ["list", "watch"],
  },
  {
    why: "from a pod to its job",
    groups: ["batch"],
    resources: ["jobs", "cronjobs"],
    verbs: ["list", "watch"],
  },
  {
    why: "usage",
    groups: ["metrics.k8s.io"],
    resources: ["nodes", "pods"],
    verbs: ["list"],
  },
];

/**
 * The manifest that runs an agent in its cluster (YAML): namespace, service account, read rights, token, state volume and a
 * Deployment of one pod. The token is in a Secret; it is good for one joining.
 */
export function agentManifest(facts: ManifestFacts): string {
  return [namespace(), account(), role(), secret(facts), stateVolume(), deployment(facts)].join("---\n");
}

/** A text as a YAML scalar: JSON is YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function list(words: readonly string[]): string {
  return `[${words.map(quoted).join(", ")}]`;
}

function namespace(): string {
  return `apiVersion: v1
kind: Namespace
metadata:
  name: plimsoll
`;
}

function account(): string {
  return `apiVersion: v1
kind: ServiceAccount
metadata:
  name: plimsoll-agent
  namespace: plimsoll
`;
}

function role(): string {
  const rules = RULES.map(
    ({ why, groups, resources, verbs }) => `  # ${why}
  - apiGroups: ${list(groups)}
    resources: ${list(resources)}
    verbs: ${list(verbs)}
`,
  );
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: plimsoll-agent
rules:
${rules.join("")}  # version and readiness of the API server
  - nonResourceURLs: ["/version", "/readyz", "/healthz"]
    verbs: ["get"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: plimsoll-agent
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: plimsoll-agent
subjects:
  - kind: ServiceAccount
    name: plimsoll-agent
    namespace: plimsoll
`;
}

function secret({ token }: ManifestFacts): string {
  return `apiVersion: v1
kind: Secret
metadata:
  name: plimsoll-join
  namespace: plimsoll
type: Opaque
stringData:
  token: ${quoted(token)}
`;
}

/** Identity and spool outlive the pod: what was metered while the hub was away is delivered later. */
function stateVolume(): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: plimsoll-agent-state
  namespace: plimsoll
spec:
  accessModes: ["ReadWriteOnce"]
  resources:
    requests:
      storage: 1Gi
`;
}

function deployment({ hubUrl, clusterName, image }: ManifestFacts): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: plimsoll-agent
  namespace: plimsoll
spec:
  replicas: 1
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app.kubernetes.io/name: plimsoll-agent
  template:
    metadata:
      labels:
        app.kubernetes.io/name: plimsoll-agent
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9464"
    spec:
      serviceAccountName: plimsoll-agent
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        fsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: agent
          image: ${quoted(image)}
          args: ["agent", "--hub", ${quoted(hubUrl)}, "--name", ${quoted(clusterName)}, "--state", "/state", "--listen", ":9464"]
          env:
            - name: PLIMSOLL_JOIN_TOKEN
              valueFrom:
                secretKeyRef:
                  name: plimsoll-join
                  key: token
          ports:
            - name: metrics
              containerPort: 9464
          livenessProbe:
            httpGet:
              path: /livez
              port: metrics
            initialDelaySeconds: 30
            periodSeconds: 30
            failureThreshold: 5
          readinessProbe:
            httpGet:
              path: /readyz
              port: metrics
          resources:
            requests:
              cpu: 50m
              memory: 128Mi
            limits:
              memory: 512Mi
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
          volumeMounts:
            - name: state
              mountPath: /state
      volumes:
        - name: state
          persistentVolumeClaim:
            claimName: plimsoll-agent-state
`;
}
