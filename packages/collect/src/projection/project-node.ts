import type { KubeNamespace, KubeNode } from "@plimsoll/contracts";
import type { FieldReader } from "./field-reader.ts";
import { pooled } from "./pool.ts";
import { projectConditions, projectMetadata } from "./project-metadata.ts";
import type { Sharing } from "./sharing.ts";

/** A node without its images and attached volumes. */
export function projectNode(node: FieldReader, share: Sharing): KubeNode {
  const spec = node.optionalObject("spec");
  const status = node.optionalObject("status");
  return {
    metadata: projectMetadata(node, share),
    spec: {
      providerID: spec?.optionalText("providerID"),
      unschedulable: spec?.optionalFlag("unschedulable"),
      taints: spec?.optionalList("taints")?.map((taint) => ({
        key: share.text(taint.text("key")),
        value: taint.optionalText("value"),
        effect: pooled(share.text, taint.optionalText("effect")),
      })),
      podCIDR: spec?.optionalText("podCIDR"),
      podCIDRs: spec?.optionalTexts("podCIDRs"),
    },
    status: status && projectNodeStatus(status, share),
  };
}

/** A namespace's metadata and phase. */
export function projectNamespace(namespace: FieldReader, share: Sharing): KubeNamespace {
  const status = namespace.optionalObject("status");
  return {
    metadata: projectMetadata(namespace, share),
    status: status && { phase: status.optionalText("phase") },
  };
}

function projectNodeStatus(status: FieldReader, share: Sharing): KubeNode["status"] {
  const info = status.optionalObject("nodeInfo");
  const optional = (field: string) => pooled(share.text, info?.optionalText(field));
  return {
    capacity: pooled(share.texts, status.optionalQuantities("capacity")),
    allocatable: pooled(share.texts, status.optionalQuantities("allocatable")),
    conditions: projectConditions(status, share),
    nodeInfo: info && {
      kubeletVersion: optional("kubeletVersion"),
      osImage: optional("osImage"),
      kernelVersion: optional("kernelVersion"),
      containerRuntimeVersion: optional("containerRuntimeVersion"),
      architecture: optional("architecture"),
      operatingSystem: optional("operatingSystem"),
    },
    addresses: status.optionalList("addresses")?.map((address) => ({
      type: share.text(address.text("type")),
      address: address.text("address"),
    })),
  };
}
