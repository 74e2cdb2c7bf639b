import { CostAnswer, CostQuery } from "@plimsoll/contracts/rest";
import type { CostAnswers } from "../cost/costs.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";

/** Questions about cost. */
export function costEndpoints(costs: CostAnswers): readonly Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/cost",
      access: { verb: "read", noun: "cost" },
      summary: "What clusters, namespaces, workloads or owners cost in a window",
      params: null,
      query: CostQuery,
      body: null,
      answer: CostAnswer,
      handle: ({ query }, { scope, nowMs }) => costs.costOf(query, scope, nowMs),
    }),
  ];
}
