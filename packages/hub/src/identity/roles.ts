/** Roles that people and service tokens hold; what each may do stands in `policies/`. */
export const ROLES = ["viewer", "operator", "finops", "auditor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** A role on some clusters. */
export interface Grant {
  readonly role: Role;
  /** Label selector of the clusters it is about, by labels and region; null = the whole fleet. */
  readonly selector: string | null;
}
