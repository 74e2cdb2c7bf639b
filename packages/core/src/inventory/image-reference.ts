/** A container image reference in parts: `registry.k8s.io/coredns/coredns:v1.11.1@sha256:…`. */
export interface ImageReference {
  /** Without tag and digest, registry included. */
  readonly repository: string;
  /** Last segment of the repository. */
  readonly name: string;
  /** Null when only a digest or nothing is given. */
  readonly tag: string | null;
}

/** Splits an image reference; never throws. A port in the registry is no tag. */
export function parseImage(reference: string): ImageReference {
  const [withTag = ""] = reference.split("@");
  const slash = withTag.lastIndexOf("/");
  const colon = withTag.indexOf(":", slash + 1);
  const repository = colon < 0 ? withTag : withTag.slice(0, colon);
  return {
    repository,
    name: repository.slice(slash + 1),
    tag: colon < 0 || colon === withTag.length - 1 ? null : withTag.slice(colon + 1),
  };
}
