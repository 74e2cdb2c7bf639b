import type { Grant } from "@plimsoll/contracts/rest";
import type { z } from "zod";

/** A role with the clusters it is about: `viewer on env=prod`, `auditor on the whole fleet`. */
export function grantText({ role, selector }: z.infer<typeof Grant>): string {
  return `${role} on ${selector ?? "the whole fleet"}`;
}
