import { Problem } from "@plimsoll/contracts/rest";
import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";

type JsonObject = { readonly [key: string]: unknown };

/** The OpenAPI 3.1 description of the API, made of the very schemas that check requests. */
export function openApi(endpoints: readonly Endpoint[], version: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const each of endpoints) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: operation(each) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Plimsoll", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, "output") },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{ token: [] }],
  };
}

function operation(each: Endpoint): JsonObject {
  const { params, query, body, answer } = each.schemas;
  const open = each.access.noun === "schema" || each.access.verb === "join";
  return {
    operationId: `${each.method.toLowerCase()}${each.path.replace(/[/:-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: each.summary,
    "x-plimsoll-access": each.access,
    ...(open && { security: [] }),
    parameters: [...parameters("path", params), ...parameters("query", query)],
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } },
    }),
    responses: {
      [each.status]: { description: "OK", content: { "application/json": { schema: schemaOf(answer, "output") } } },
      default: {
        description: "What went wrong, with its code and remedy",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function parameters(place: "path" | "query", schema: z.ZodObject | null): readonly JsonObject[] {
  if (schema === null) return [];
  const described = schemaOf(schema, "input");
  const properties = isObject(described.properties) ? described.properties : {};
  const required = Array.isArray(described.required) ? described.required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { target: "draft-2020-12", io, unrepresentable: "any" });
  return described;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
