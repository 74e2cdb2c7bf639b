import { join } from "node:path";
import { TOKEN_ISSUER } from "./credentials.ts";

/** Ports of one cluster, all on 127.0.0.1. */
export interface ClusterPorts {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly kubelet: number;
  readonly metricsServer: number;
}

/** etcd: one member, no fsync (test data may be lost with the machine). */
export function etcdFlags(dir: string, ports: ClusterPorts): string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    "--name=testbed",
    `--data-dir=${join(dir, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=testbed=${peer}`,
    "--unsafe-no-fsync",
    "--log-level=warn",
  ];
}

/** kube-apiserver: token file, client certificates, service account tokens, RBAC, aggregation. */
export function apiServerFlags(dir: string, ports: ClusterPorts): string[] {
  const file = (name: string) => join(dir, name);
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${ports.apiServer}`,
    "--endpoint-reconciler-type=none", // a loopback address is refused as an endpoint
    "--service-cluster-ip-range=10.96.0.0/16",
    `--tls-cert-file=${file("apiserver.crt")}`,
    `--tls-private-key-file=${file("apiserver.key")}`,
    `--client-ca-file=${file("ca.crt")}`,
    `--token-auth-file=${file("tokens.csv")}`,
    "--authorization-mode=RBAC",
    `--service-account-issuer=${TOKEN_ISSUER}`,
    `--service-account-key-file=${file("service-account.pub")}`,
    `--service-account-signing-key-file=${file("service-account.key")}`,
    `--requestheader-client-ca-file=${file("front-proxy-ca.crt")}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${file("front-proxy.crt")}`,
    `--proxy-client-key-file=${file("front-proxy.key")}`,
    "--profiling=false",
  ];
}

const QUICK_CLIENT = ["--kube-api-qps=1000", "--kube-api-burst=2000"]; // the defaults make thousands of pods take minutes

/** kube-controller-manager, without an own port. */
export function controllerManagerFlags(dir: string): string[] {
  return [
    `--kubeconfig=${join(dir, "admin.kubeconfig")}`, // as admin: its own user may do nothing without thirty accounts
    "--secure-port=0",
    "--leader-elect=false",
    `--service-account-private-key-file=${join(dir, "service-account.key")}`,
    `--root-ca-file=${join(dir, "ca.crt")}`,
    "--node-monitor-grace-period=300s", // a machine under load must not turn nodes NotReady; tests do that on purpose
    ...QUICK_CLIENT,
  ];
}

/** kube-scheduler, without an own port. */
export function schedulerFlags(dir: string): string[] {
  return [
    `--kubeconfig=${join(dir, "scheduler.kubeconfig")}`,
    "--secure-port=0",
    "--leader-elect=false",
    ...QUICK_CLIENT,
  ];
}

/** kwok as the kubelet of every node: its one port serves all nodes' metrics. */
export function kwokFlags(dir: string, ports: ClusterPorts, config: string): string[] {
  return [
    `--kubeconfig=${join(dir, "admin.kubeconfig")}`,
    "--manage-all-nodes=true",
    `--config=${config}`,
    "--cidr=10.244.0.0/16",
    "--node-lease-duration-seconds=40",
    "--node-ip=127.0.0.1",
    `--node-port=${ports.kubelet}`,
    `--server-address=127.0.0.1:${ports.kubelet}`,
    `--tls-cert-file=${join(dir, "kubelet.crt")}`,
    `--tls-private-key-file=${join(dir, "kubelet.key")}`,
  ];
}

/** metrics-server, reading kwok's port; 10 s is the shortest resolution that it takes. */
export function metricsServerFlags(dir: string, ports: ClusterPorts): string[] {
  const kubeconfig = join(dir, "admin.kubeconfig");
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.metricsServer}`,
    `--cert-dir=${join(dir, "metrics-server")}`,
    "--kubelet-insecure-tls",
    "--kubelet-preferred-address-types=InternalIP",
    "--kubelet-use-node-status-port",
    "--metric-resolution=10s",
    "--kubelet-request-timeout=5s",
  ];
}
