import { expect, test } from "vitest";
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { openApi } from "./openapi.ts";

const shape = { summary: "s", access: { verb: "read", noun: "cluster" } } as const;
const described = openApi(
  [
    endpoint({
      ...shape,
      method: "GET",
      path: "/api/v1/things/:thing/parts",
      params: z.object({ thing: z.string().min(1) }),
      query: z.object({
        limit: z.coerce.number().int().max(5).default(3),
        sort: z.string().optional(),
        must: z.string(),
      }),
      body: null,
      answer: z.object({ at: z.iso.datetime(), amount: z.string().nullable() }),
      handle: () => ({ at: "", amount: null }),
    }),
    endpoint({
      ...shape,
      method: "POST",
      path: "/api/v1/things/:thing/parts",
      access: { verb: "join", noun: "join-token" },
      params: z.object({ thing: z.string() }),
      query: null,
      body: z.object({ labels: z.record(z.string(), z.string()).default({}) }),
      answer: z.object({}),
      status: 201,
      handle: () => ({}),
    }),
  ],
  "1.2.3",
);

test("is OpenAPI 3.1 of this version", () => {
  expect(described).toMatchObject({ openapi: "3.1.0", info: { title: "Plimsoll", version: "1.2.3" } });
});

test("describes parameters, answers and problems by the schemas that check them", () => {
  expect(described).toMatchObject({
    paths: {
      "/api/v1/things/{thing}/parts": {
        get: {
          operationId: "getApiV1ThingsThingParts",
          parameters: [
            { name: "thing", in: "path", required: true, schema: { type: "string", minLength: 1 } },
            { name: "limit", in: "query", required: false, schema: { type: "integer", maximum: 5, default: 3 } },
            { name: "sort", in: "query", required: false, schema: { type: "string" } },
            { name: "must", in: "query", required: true },
          ],
          responses: {
            200: { content: { "application/json": { schema: { properties: { at: { format: "date-time" } } } } } },
            default: { content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
          },
        },
      },
    },
  });
});

test("both methods of a path stand side by side; a body need not name what has a default; what is open says so", () => {
  const post = {
    requestBody: { content: { "application/json": { schema: { type: "object" } } } },
    security: [],
    responses: { 201: {} },
  };
  expect(described).toMatchObject({ paths: { "/api/v1/things/{thing}/parts": { get: {}, post } } });
  expect(JSON.stringify(described)).not.toContain('"required":["labels"]');
});
