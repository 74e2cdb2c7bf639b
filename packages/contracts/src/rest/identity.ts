import { z } from "zod";
import { Instant } from "./common.ts";

export const RoleName = z.enum(["viewer", "operator", "finops", "auditor", "admin"]);

/** A role on some clusters. */
export const Grant = z.object({
  role: RoleName,
  /** Label selector of the clusters it is about (labels and region); null = the whole fleet. */
  selector: z.string().max(1_000).nullable().default(null),
});

const TokenName = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/, "lower-case letters, digits, - and ., at most 63");

/** `POST /api/v1/service-tokens` */
export const ServiceTokenRequest = z.object({
  name: TokenName,
  grants: z.array(Grant).min(1).max(20),
  /** At most a year. */
  ttlSeconds: z.number().int().min(60).max(31_622_400).default(7_776_000),
});
/** A token as it may be shown: without its text. */
export const ServiceTokenView = z.object({
  name: z.string(),
  grants: z.array(Grant),
  createdBy: z.string(),
  createdAt: Instant,
  expiresAt: Instant,
  /** To a minute; null = never. */
  lastUsedAt: Instant.nullable(),
});
export const ServiceTokenAnswer = ServiceTokenView.extend({
  /** In this answer and nowhere else. */
  token: z.string(),
});
export type ServiceTokenAnswer = z.infer<typeof ServiceTokenAnswer>;
export const ServiceTokenList = z.object({ items: z.array(ServiceTokenView), asOf: Instant });
export type ServiceTokenList = z.infer<typeof ServiceTokenList>;
export const ServiceTokenPath = z.object({ token: TokenName });
export const Withdrawn = z.object({ name: z.string() });

/** `GET /api/v1/whoami` */
export const WhoAmI = z.object({
  /** `admin`, `user:ada`, `token:grafana`. */
  actor: z.string(),
  grants: z.array(Grant),
  /** What that allows: `update policy`, with the clusters; null = the whole fleet. */
  may: z.array(z.object({ verb: z.string(), thing: z.string(), selectors: z.array(z.string()).nullable() })),
});
export type WhoAmI = z.infer<typeof WhoAmI>;

/** `GET /api/v1/can-i` */
export const CanIQuery = z.object({
  verb: z.string(),
  thing: z.string(),
  /** Name or id of a cluster. */
  cluster: z.string().optional(),
});
export const CanI = z.object({ allowed: z.boolean(), reason: z.string() });
export type CanI = z.infer<typeof CanI>;

/** `GET /api/v1/access-review`: who may do what. */
export const AccessReview = z.object({
  items: z.array(
    z.object({
      actor: z.string(),
      grants: z.array(Grant),
      /** Null = never ends. */
      expiresAt: Instant.nullable(),
      /** Null = never, or not kept. */
      lastUsedAt: Instant.nullable(),
    }),
  ),
  asOf: Instant,
});
export type AccessReview = z.infer<typeof AccessReview>;
