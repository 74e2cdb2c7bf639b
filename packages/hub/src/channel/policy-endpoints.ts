import { AgentPolicyAnswer, AgentPolicyChange } from "@plimsoll/contracts/rest";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import type { Policies } from "./policies.ts";

/** Reading and changing what agents are told to do. */
export function policyEndpoints(policies: Policies): readonly Endpoint[] {
  const path = "/api/v1/policy";
  return [
    endpoint({
      method: "GET",
      path,
      access: { verb: "read", noun: "policy" },
      summary: "What agents are told to do",
      params: null,
      query: null,
      body: null,
      answer: AgentPolicyAnswer,
      handle: () => policies.current(),
    }),
    endpoint({
      method: "PUT",
      path,
      access: { verb: "update", noun: "policy" },
      summary: "Changes what agents are told to do; those that are connected hear of it at once",
      params: null,
      query: null,
      body: AgentPolicyChange,
      answer: AgentPolicyAnswer,
      handle: ({ body }, { by, nowMs }) => policies.change(body, by, nowMs),
    }),
  ];
}
