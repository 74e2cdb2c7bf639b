import { AuditCheckpoints, AuditList, AuditQuery, AuditVerdict } from "@plimsoll/contracts/rest";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import type { Registry } from "../inventory/registry.ts";
import type { Store } from "../store/store.ts";
import { auditRecord } from "./audit-record.ts";
import { allAuditRows, auditPage } from "./audit-rows.ts";
import type { CheckpointKey } from "./checkpoint-key.ts";
import { type Checkpoints, storedCheckpoints } from "./checkpoints.ts";
import { verifyAudit } from "./verify-audit.ts";

/** What questions about the audit log are answered from. */
export interface AuditEndpointDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly checkpointKey: CheckpointKey;
  readonly checkpoints: Checkpoints;
}

/** Reading the audit log, and proving it. */
export function auditEndpoints({
  store,
  registry,
  checkpointKey,
  checkpoints,
}: AuditEndpointDeps): readonly Endpoint[] {
  const { publicKey } = checkpointKey;
  const answer = async () => ({
    publicKey,
    items: (await storedCheckpoints(store)).map((each) => ({ ...each })),
  });
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/audit",
      access: { verb: "list", noun: "audit" },
      summary: "Who did what to which thing, refused and failed attempts too; the newest first",
      params: null,
      query: AuditQuery,
      body: null,
      answer: AuditList,
      handle: async ({ query }, { scope, nowMs }) => {
        const named = registry.list(scope).find(({ name }) => name === query.cluster);
        const { rows, next, total } = await auditPage(store, { ...query, cluster: named?.id ?? query.cluster }, scope);
        return { items: rows.map(auditRecord), asOf: new Date(nowMs).toISOString(), next, total };
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/audit/verify",
      access: { verb: "read", noun: "audit" },
      summary: "Checks the chain of the audit log and its signed checkpoints",
      params: null,
      query: null,
      body: null,
      answer: AuditVerdict,
      handle: async (_, { nowMs }) => {
        const verdict = await verifyAudit(allAuditRows(store), await storedCheckpoints(store), publicKey);
        return { ...verdict, faults: [...verdict.faults], asOf: new Date(nowMs).toISOString() };
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/audit/checkpoints",
      access: { verb: "read", noun: "audit" },
      summary: "Signed places of the audit log, to be kept outside of the hub",
      params: null,
      query: null,
      body: null,
      answer: AuditCheckpoints,
      handle: answer,
    }),
    endpoint({
      method: "POST",
      path: "/api/v1/audit/checkpoints",
      access: { verb: "create", noun: "audit" },
      summary: "Signs the end of the audit log now; answers with all checkpoints, to be kept outside of the hub",
      params: null,
      query: null,
      body: null,
      answer: AuditCheckpoints,
      handle: async () => {
        await checkpoints.make();
        return answer();
      },
    }),
  ];
}
