import { readFileSync } from "node:fs";
import { parseProviderId } from "@plimsoll/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pseudonyms } from "./pseudonyms.ts";
import { redactAddress } from "./redact-address.ts";
import { redactImage } from "./redact-image.ts";
import { redactObject } from "./redact-object.ts";
import { redactProviderId } from "./redact-provider-id.ts";

const pseudonyms = new Pseudonyms(Buffer.alloc(32, 1));

describe("redactProviderId", () => {
  const vectors: { cases: { provider_id: string; provider: string | null; instance_id: string | null }[] } = JSON.parse(
    readFileSync("test/vectors/provider-ids.json", "utf8"),
  );
  const forms = [
    ...vectors.cases.map((vector) => vector.provider_id),
    "aws:///us-west-2-lax-1a/i-0abc1234def567890",
    "kind://docker/lab/lab-worker",
    "digitalocean://412345678",
    "some-machine.internal.example",
  ];

  it.each(forms.filter((id) => id !== ""))(
    "keeps the form of %s, its provider and its place, and not the machine",
    (id) => {
      const redacted = redactProviderId(id, pseudonyms);
      const [before, after] = [parseProviderId(id), parseProviderId(redacted)];
      expect({ ...after, instanceId: after.instanceId?.length }).toEqual({
        ...before,
        instanceId: before.instanceId?.length,
      });
      expect(redacted).not.toBe(id);
      expect(redactProviderId(id, pseudonyms)).toBe(redacted);
      for (const secret of [
        "my-project",
        "gke-node-1",
        "AAAA-1",
        "MC_RG_x",
        "aks-pool-1-vmss",
        "i-0abc1234",
        "i-bp1abcdefg",
        "ins-abcd1234",
        "5b3f2c1e",
        "12345678",
        "node-1",
        "lab-worker",
        "abyhqljt",
      ]) {
        if (id.includes(secret)) expect(redacted).not.toContain(secret);
      }
    },
  );
});

describe("redactAddress", () => {
  const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join("."));
  const bitsOf = (address: string) =>
    address
      .split(".")
      .map((part) => Number(part).toString(2).padStart(8, "0"))
      .join("");
  const shared = (a: string, b: string) => {
    const [left, right] = [bitsOf(a), bitsOf(b)];
    let length = 0;
    while (length < 32 && left[length] === right[length]) length += 1;
    return length;
  };

  it("lets two addresses share as many leading bits as before", () => {
    fc.assert(
      fc.property(ipv4, ipv4, (a, b) => {
        expect(shared(redactAddress(a, pseudonyms), redactAddress(b, pseudonyms))).toBe(shared(a, b));
      }),
    );
  });

  it.each([
    ["10.244.3.0/24", /^\d+\.\d+\.\d+\.0\/24$/],
    ["fd00:10:244::/56", /^[0-9a-f:]+\/56$/],
    ["2001:db8::1", /^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}$/],
  ])("keeps the form of %s", (address, form) => {
    const redacted = redactAddress(address, pseudonyms);
    expect(redacted).toMatch(form);
    expect(redacted).not.toBe(address);
  });

  it("leaves what is no address", () => {
    expect(["None", "", "node-1"].map((text) => redactAddress(text, pseudonyms))).toEqual(["None", "", "node-1"]);
  });
});

describe("redactImage", () => {
  it.each([
    ["registry.corp.example/mirror/coredns/coredns:v1.12.1", /^registry-\w+\/coredns:v1\.12\.1$/],
    [
      "registry.corp.example:5000/team/ingress-nginx/controller:v1.12.1@sha256:0011",
      /^registry-\w+\/ingress-nginx\/controller:v1\.12\.1$/,
    ],
    ["gke.gcr.io/cilium/cilium:v1.16.4", /cilium/],
    ["602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/kube-proxy:v1.33.3", /^registry-\w+\/kube-proxy:v1\.33\.3$/],
    ["registry.corp.example/shop/cart:feature-secret", /^image-\w+$/],
    ["nginx", /^image-\w+$/],
  ])("replaces what names someone in %s", (image, form) => {
    const redacted = redactImage(image, pseudonyms);
    expect(redacted).toMatch(form);
    expect(redacted).not.toMatch(/corp|6024|feature/);
  });
});

describe("redactObject", () => {
  it("replaces a text that no rule knows, so that a field added later does not leak", () => {
    const pod = {
      metadata: { name: "a", uid: "u" },
      spec: { newField: "secret", list: ["secret"], deep: { x: "secret" }, count: 3, on: true },
    };
    const redacted = redactObject("Pod", pod, pseudonyms);
    expect(JSON.stringify(redacted)).not.toContain("secret");
    expect(redacted).toMatchObject({ spec: { count: 3, on: true } });
  });

  it("keeps what rules read and what names nothing", () => {
    const node = {
      metadata: {
        name: "10.0.0.7",
        uid: "u",
        creationTimestamp: "2026-03-01T00:00:00Z",
        labels: {
          "kubernetes.io/hostname": "10.0.0.7",
          "node.kubernetes.io/instance-type": "m6i.xlarge",
          "topology.kubernetes.io/zone": "eu-west-1a",
          "karpenter.sh/capacity-type": "spot",
          "eks.amazonaws.com/nodegroup": "payments",
          "acme.example/rack": "berlin-7",
          env: "prod",
          type: "virtual-kubelet",
          team: "payments",
        },
      },
      spec: {
        taints: [
          { key: "acme.example/only", value: "payments", effect: "NoSchedule" },
          { key: "virtual-kubelet.io/provider", value: "x" },
        ],
      },
      status: {
        capacity: { cpu: "4" },
        conditions: [{ type: "Ready", status: "False", reason: "KubeletNotReady", message: "cni of payments" }],
        nodeInfo: { kubeletVersion: "v1.33.4-eks-1", osImage: "Amazon Linux" },
      },
    };
    const redacted = redactObject("Node", node, pseudonyms);
    const name = pseudonyms.name("node", "10.0.0.7");
    expect(redacted).toMatchObject({
      metadata: {
        name,
        creationTimestamp: "2026-03-01T00:00:00Z",
        labels: {
          "kubernetes.io/hostname": name,
          "node.kubernetes.io/instance-type": "m6i.xlarge",
          "topology.kubernetes.io/zone": "eu-west-1a",
          "karpenter.sh/capacity-type": "spot",
          env: "prod",
          type: "virtual-kubelet",
        },
      },
      status: {
        capacity: { cpu: "4" },
        conditions: [{ type: "Ready", status: "False", reason: "KubeletNotReady" }],
        nodeInfo: { kubeletVersion: "v1.33.4-eks-1", osImage: "Amazon Linux" },
      },
    });
    expect(JSON.stringify(redacted)).not.toMatch(/payments|acme|berlin|message/);
    const pod = redactObject(
      "Pod",
      { metadata: { name: "a", namespace: "b" }, spec: { nodeName: "10.0.0.7" } },
      pseudonyms,
    );
    expect(pod).toMatchObject({ spec: { nodeName: name } });
  });

  it("joins claims, volumes and quotas by their new names", () => {
    const [pod, claim, volume, quota] = [
      redactObject(
        "Pod",
        { spec: { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data-0" } }] } },
        pseudonyms,
      ),
      redactObject(
        "PersistentVolumeClaim",
        { metadata: { name: "data-0", uid: "c" }, spec: { volumeName: "pvc-1", storageClassName: "gold" } },
        pseudonyms,
      ),
      redactObject(
        "PersistentVolume",
        { metadata: { name: "pvc-1" }, spec: { claimRef: { name: "data-0", uid: "c", namespace: "shop" } } },
        pseudonyms,
      ),
      redactObject(
        "ResourceQuota",
        {
          spec: {
            hard: { "gold.storageclass.storage.k8s.io/requests.storage": "1Ti", "requests.nvidia.com/gpu": "4" },
          },
        },
        pseudonyms,
      ),
    ];
    const [claimName, volumeName, storageClassName] = [
      pseudonyms.name("pvc", "data-0"),
      pseudonyms.name("pv", "pvc-1"),
      pseudonyms.name("storageclass", "gold"),
    ];
    expect(pod).toMatchObject({ spec: { volumes: [{ persistentVolumeClaim: { claimName } }] } });
    expect(claim).toMatchObject({ metadata: { name: claimName }, spec: { volumeName, storageClassName } });
    expect(volume).toMatchObject({
      metadata: { name: volumeName },
      spec: { claimRef: { name: claimName, uid: pseudonyms.uid("c") } },
    });
    expect(quota).toEqual({
      spec: {
        hard: {
          [`${storageClassName}.storageclass.storage.k8s.io/requests.storage`]: "1Ti",
          "requests.nvidia.com/gpu": "4",
        },
      },
    });
  });
});
