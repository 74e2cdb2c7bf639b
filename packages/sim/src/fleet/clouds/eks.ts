import {
  type CloudProfile,
  commonLabels,
  coreDns,
  GPU_TAINT,
  gpuMachine,
  ingressNginx,
  machine,
  onEveryNode,
  RELEASE,
  twice,
} from "../cloud-profile.ts";

const REGISTRY = "602401143452.dkr.ecr.us-east-1.amazonaws.com/eks";

/** Amazon Elastic Kubernetes Service. API server and kubelets carry different builds of one release. */
export const eks: CloudProfile = {
  clusterType: "EKS",
  provider: "aws",
  regions: [
    { name: "us-east-1", short: "virginia", zones: ["us-east-1a", "us-east-1b", "us-east-1c"], utcOffsetHours: -5 },
    { name: "eu-west-1", short: "ireland", zones: ["eu-west-1a", "eu-west-1b"], utcOffsetHours: 0 },
    { name: "ap-northeast-1", short: "tokyo", zones: ["ap-northeast-1a", "ap-northeast-1c"], utcOffsetHours: 9 },
  ],
  releases: [
    { server: "v1.29.15-eks-473151a", kubelet: "v1.29.15-eks-473151a" },
    { server: "v1.31.9-eks-5d4a308", kubelet: "v1.31.7-eks-473151a" },
    { server: "v1.33.4-eks-e386d34", kubelet: "v1.33.3-eks-3abbec1" },
  ],
  osImage: "Amazon Linux 2023.8.20250818",
  kernel: "6.1.147-172.266.amzn2023.x86_64",
  runtime: "containerd://1.7.27",
  machines: {
    general: [
      machine("m6i.2xlarge", 8, 32, 58),
      machine("m6i.4xlarge", 16, 64, 110),
      machine("c6i.2xlarge", 8, 16, 58),
    ],
    memory: machine("r6i.2xlarge", 8, 64, 58),
    gpu: gpuMachine("g5.2xlarge", 8, 32, "NVIDIA-A10G"),
  },
  offersSpot: true,
  offersVirtual: false,
  controlPlaneNodes: 0,
  addOns: [
    onEveryNode("kube-proxy", `${REGISTRY}/kube-proxy:${RELEASE}-minimal-eksbuild.7`, 100, 64),
    onEveryNode("aws-node", "602401143452.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.19.5-eksbuild.3", 50, 64),
    onEveryNode("ebs-csi-node", "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.45.0", 30, 120),
    coreDns(`${REGISTRY}/coredns:v1.11.4-eksbuild.14`),
    twice("metrics-server", `${REGISTRY}/metrics-server:v0.7.2-eksbuild.4`, 100, 200),
    ingressNginx(),
  ],
  storage: { className: "gp3", driver: "ebs.csi.aws.com", volumeHandle: (random) => `vol-0${random.hex(16)}` },
  pool({ poolName, poolClass, spot, machine: type }) {
    return {
      labels: {
        "eks.amazonaws.com/nodegroup": poolName,
        "eks.amazonaws.com/capacityType": spot ? "SPOT" : "ON_DEMAND",
        "eks.amazonaws.com/nodegroup-image": "ami-0a1b2c3d4e5f60718",
        ...(poolClass === "gpu" ? { "nvidia.com/gpu.product": type.gpuModel } : {}),
      },
      taints: poolClass === "gpu" ? [GPU_TAINT] : [],
    };
  },
  node(context) {
    const { random, region, address, zoneIndex } = context;
    const domain = region.name === "us-east-1" ? "ec2.internal" : `${region.name}.compute.internal`;
    const name = `ip-${address.replaceAll(".", "-")}.${domain}`;
    return {
      name,
      providerId: `aws:///${region.zones[zoneIndex] ?? region.zones[0]}/i-0${random.hex(16)}`,
      labels: { ...commonLabels(context, name), "k8s.io/cloud-provider-aws": random.hex(32) },
    };
  },
};
