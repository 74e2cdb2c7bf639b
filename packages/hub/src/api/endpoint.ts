import type { z } from "zod";
import type { ChangeBy } from "../audit/audit.ts";
import type { Noun, Verb } from "../identity/access.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import { parseInput } from "./parse-input.ts";

/** What a request does to what: every route says it, and the server asks `authorize` by it before anything is read. */
export interface Access {
  readonly verb: Verb;
  readonly noun: Noun;
}

/** What a handler knows of its request besides its input. */
export interface RequestContext {
  readonly by: ChangeBy;
  /** Clusters that the answer may be about. */
  readonly scope: ClusterScope;
  readonly nowMs: number;
}

/** Input of a request as it came. */
interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** One route of the API, its schemas erased: what the server mounts and the OpenAPI description is made of. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT";
  /** `/api/v1/clusters/:cluster` */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly status: number;
  readonly schemas: {
    readonly params: z.ZodObject | null;
    readonly query: z.ZodObject | null;
    readonly body: z.ZodObject | null;
    readonly answer: z.ZodType;
  };
  /** Parses the input and handles it. Throws coded errors. */
  readonly run: (raw: RawInput, context: RequestContext) => Promise<unknown>;
}

/** A route as it is written down. A part without a schema takes nothing. */
export interface EndpointShape<
  P extends z.ZodObject | null,
  Q extends z.ZodObject | null,
  B extends z.ZodObject | null,
  A extends z.ZodType,
> extends Pick<Endpoint, "method" | "path" | "access" | "summary"> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly answer: A;
  /** Of a good answer; default 200. */
  readonly status?: number;
  readonly handle: (
    input: { readonly params: Output<P>; readonly query: Output<Q>; readonly body: Output<B> },
    context: RequestContext,
  ) => Promise<z.input<A>> | z.input<A>;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Makes an endpoint: input is parsed by its schemas, and what they do not name is refused. */
export function endpoint<
  P extends z.ZodObject | null,
  Q extends z.ZodObject | null,
  B extends z.ZodObject | null,
  A extends z.ZodType,
>(shape: EndpointShape<P, Q, B, A>): Endpoint {
  const { method, path, access, summary, status = 200, params, query, body, answer } = shape;
  return {
    method,
    path,
    access,
    summary,
    status,
    schemas: { params, query, body, answer },
    run: async (raw, context) =>
      shape.handle(
        {
          params: parseInput("path", params, raw.params),
          query: parseInput("query", query, raw.query),
          body: parseInput("body", body, raw.body),
        },
        context,
      ),
  };
}
