/** What an add-on is recognised by: the name it is published under and its image's repository, the last segments. */
export interface AddOnSign {
  readonly name: string;
  readonly image: RegExp;
}

/** kube-proxy, as upstream and the providers build it. */
export const KUBE_PROXY_SIGNS: readonly AddOnSign[] = [
  { name: "kube-proxy", image: /(^|\/)kube-proxy(-(amd64|arm64))?$/ },
];

/** CoreDNS under its mirrors' names. */
export const COREDNS_SIGNS: readonly AddOnSign[] = [{ name: "coredns", image: /(^|[/-])coredns(-coredns)?$/ }];

/**
 * Network plug-ins, the one that gives pods their addresses before one that may be chained to it for policy (Cilium and
 * Calico run on top of the providers' plug-ins).
 */
export const CNI_SIGNS: readonly AddOnSign[] = [
  { name: "aws-vpc-cni", image: /(^|\/)amazon-k8s-cni$/ },
  { name: "terway", image: /(^|\/)terway$/ },
  { name: "azure-cni", image: /(^|\/)azure-(cns|cni)$/ },
  { name: "tke-eni", image: /(^|\/)tke-(route-eni|eni-agent|cni-agent|bridge-agent)$/ },
  { name: "gke-dataplane-v2", image: /(^|\/)anet(d|-agent)$|gke\.gcr\.io\/cilium/ },
  { name: "ovn-kubernetes", image: /ovn-kubernetes/ },
  { name: "kube-ovn", image: /(^|\/)kube-ovn$/ },
  { name: "cilium", image: /(^|[/-])cilium(-cilium)?$/ },
  { name: "antrea", image: /(^|\/)antrea-(agent-)?ubuntu$|(^|\/)antrea-agent$/ },
  { name: "flannel", image: /(^|[/-])flannel(-flannel)?$/ },
  { name: "calico", image: /calico[/-]node$/ },
  { name: "weave", image: /(^|\/)weave-kube$/ },
  { name: "kube-router", image: /(^|\/)kube-router$/ },
  { name: "kindnet", image: /(^|\/)kindnetd$/ },
];

/** Drivers by the images of their node plug-ins; the name is the CSI driver's. */
export const CSI_SIGNS: readonly AddOnSign[] = [
  { name: "ebs.csi.aws.com", image: /(^|\/)aws-ebs-csi-driver$/ },
  { name: "efs.csi.aws.com", image: /(^|\/)aws-efs-csi-driver$/ },
  { name: "pd.csi.storage.gke.io", image: /(^|\/)gcp-compute-persistent-disk-csi-driver$/ },
  { name: "filestore.csi.storage.gke.io", image: /(^|\/)gcp-filestore-csi-driver$/ },
  { name: "disk.csi.azure.com", image: /(^|\/)azuredisk-csi$/ },
  { name: "file.csi.azure.com", image: /(^|\/)azurefile-csi$/ },
  { name: "diskplugin.csi.alibabacloud.com", image: /(^|\/)csi-plugin$/ },
  { name: "com.tencent.cloud.csi.cbs", image: /(^|\/)csi-tencentcloud-cbs$/ },
  { name: "rbd.csi.ceph.com", image: /(^|\/)cephcsi$/ },
  { name: "driver.longhorn.io", image: /(^|\/)longhorn-manager$/ },
  { name: "csi.vsphere.vmware.com", image: /(^|\/)(vsphere-csi|driver)$/ },
  { name: "csi.hetzner.cloud", image: /(^|\/)hcloud-csi-driver$/ },
  { name: "nfs.csi.k8s.io", image: /(^|\/)nfsplugin$/ },
];

/** Ingress controllers, those of general use first. */
export const INGRESS_SIGNS: readonly AddOnSign[] = [
  { name: "ingress-nginx", image: /ingress-nginx[/-]controller$|(^|[/-])nginx-ingress-controller$/ },
  { name: "traefik", image: /(^|[/-])(library-)?traefik$/ },
  { name: "nginx-ingress", image: /(^|\/)nginx(-plus)?-ingress$/ },
  { name: "haproxy-ingress", image: /(^|\/)(haproxy-ingress|kubernetes-ingress)$/ },
  { name: "kong", image: /(^|\/)kubernetes-ingress-controller$/ },
  { name: "apisix", image: /(^|\/)apisix-ingress-controller$/ },
  { name: "higress", image: /(^|\/)higress$/ },
  { name: "contour", image: /(^|\/)contour$/ },
  { name: "openshift-router", image: /(^|\/)(ose-)?haproxy-router$/ },
  { name: "aws-load-balancer-controller", image: /(^|\/)aws-(load-balancer|alb-ingress)-controller$/ },
  { name: "alb-ingress-controller", image: /(^|\/)alb-ingress-controller(-for-ack)?$/ },
];
