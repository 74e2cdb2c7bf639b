import {
  type AddOnSign,
  CNI_SIGNS,
  COREDNS_SIGNS,
  CSI_SIGNS,
  INGRESS_SIGNS,
  KUBE_PROXY_SIGNS,
  parseImage,
} from "@plimsoll/core";
import type { Pseudonyms } from "./pseudonyms.ts";

const SIGNS: readonly AddOnSign[] = [
  ...KUBE_PROXY_SIGNS,
  ...COREDNS_SIGNS,
  ...CNI_SIGNS,
  ...CSI_SIGNS,
  ...INGRESS_SIGNS,
];

/**
 * Replaces an image reference. Of an add-on that the inventory recognises, as many last segments as it takes to recognise it
 * are kept, and the tag, which is its version; registry and path before them, and every other image, are replaced whole.
 */
export function redactImage(reference: string, pseudonyms: Pseudonyms): string {
  const { repository, tag } = parseImage(reference);
  const kept = recognisedTail(repository);
  if (kept === undefined) return pseudonyms.name("image", reference);
  const registry = pseudonyms.name("registry", repository.slice(0, repository.length - kept.length));
  return `${kept === repository ? kept : `${registry}/${kept}`}${tag === null ? "" : `:${tag}`}`;
}

/** The shortest tail of the repository by which the same add-ons are recognised; undefined when none is. */
function recognisedTail(repository: string): string | undefined {
  const whole = recognised(repository);
  if (whole === "") return undefined;
  const segments = repository.split("/");
  for (let length = 1; length < segments.length; length += 1) {
    const tail = segments.slice(-length).join("/");
    if (recognised(`registry/${tail}`) === whole) return tail;
  }
  return repository;
}

function recognised(repository: string): string {
  return SIGNS.filter((sign) => sign.image.test(repository))
    .map((sign) => sign.name)
    .join(" ");
}
