import { describe, expect, it } from "vitest";
import { parseImage } from "./image-reference.ts";

describe("an image reference", () => {
  it.each([
    ["registry.k8s.io/coredns/coredns:v1.11.1", "registry.k8s.io/coredns/coredns", "coredns", "v1.11.1"],
    ["localhost:5000/kube-proxy", "localhost:5000/kube-proxy", "kube-proxy", null],
    ["localhost:5000/kube-proxy:v1.34.2", "localhost:5000/kube-proxy", "kube-proxy", "v1.34.2"],
    ["calico/node@sha256:0123", "calico/node", "node", null],
    ["quay.io/cilium/cilium:v1.15.0@sha256:0123", "quay.io/cilium/cilium", "cilium", "v1.15.0"],
    ["traefik", "traefik", "traefik", null],
    ["", "", "", null],
  ])("%s", (text, repository, name, tag) => {
    expect(parseImage(text)).toEqual({ repository, name, tag });
  });
});
