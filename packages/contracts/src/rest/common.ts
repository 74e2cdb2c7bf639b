import { z } from "zod";

/** RFC 3339 UTC instant. */
export const Instant = z.iso.datetime().describe("RFC 3339 UTC");

/** Whole number as decimal digits: figures may be larger than JSON numbers are exact. */
export const WholeNumber = z
  .string()
  .regex(/^-?\d+$/)
  .describe("Whole number as decimal digits, exact at any size");

/** Amount of money as a plain decimal, exact to a nano-unit. */
export const Money = z
  .string()
  .regex(/^-?\d+(\.\d{1,9})?$/)
  .describe("Decimal amount, exact to a billionth");

/** One cluster that a fleet answer lacks, or has only in part. Clusters are named for people; ids stand beside. */
export const FleetError = z.object({
  cluster: z.string(),
  clusterId: z.string(),
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  since: Instant.nullable(),
});

/** Every list answers in this form: one dead cluster is an entry of `errors`, never a failed answer. */
export function fleetAnswer<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    errors: z.array(FleetError),
    asOf: Instant,
    /** Cursor of the next page; null on the last. */
    next: z.string().nullable(),
    /** Items over all pages, after filters. */
    total: z.number().int(),
  });
}

/** RFC 9457 problem+json with Plimsoll's code. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  remedy: z.string(),
  requestId: z.string(),
  /** Field of the request that is at fault, where there is one. */
  field: z.string().optional(),
});

/** Query parameters that every list takes. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().optional(),
  /** Label selector in Kubernetes' syntax: `env=prod,team in (a,b),!legacy`. */
  selector: z.string().optional(),
  /** Field to sort by, `-` in front for descending. */
  sort: z.string().optional(),
  /** Free text over name, region, provider. */
  search: z.string().optional(),
});
