import { AgentPolicy } from "@plimsoll/contracts/rest";
import { create, type HubMessage, HubMessageSchema } from "@plimsoll/contracts/wire";
import { z } from "zod";
import { type ChangeBy, writeAudit } from "../audit/audit.ts";
import type { DefaultPolicy } from "../config/hub-config.ts";
import type { Store } from "../store/store.ts";

/** The policy that every agent runs, with its revision. */
export interface PolicyInForce extends AgentPolicy {
  readonly revision: number;
}

/** What agents are told to do. There is one policy for all, until policies by selector come. */
export interface Policies {
  current(): PolicyInForce;
  /** Changes what is named; the revision grows when anything differs. */
  change(change: Partial<AgentPolicy>, by: ChangeBy, nowMs: number): Promise<PolicyInForce>;
  /** Calls `listener` after every change. */
  onChange(listener: (policy: PolicyInForce) => void): void;
}

const NAME = "default";
/** `chosen`: what a person has changed. `inForce`: that over the hub's settings, as agents last got it; earlier releases had less of it. */
const Document = z.object({ chosen: AgentPolicy.partial(), inForce: AgentPolicy.partial() });
/** Agents keep what they are set to themselves. */
const OWN_SPOOL = { spoolMaxBytes: null, spoolMaxAgeSeconds: null };

/** The policy of the store; what nobody has changed comes from the hub's settings. */
export async function openPolicies(store: Store, defaults: DefaultPolicy, nowMs: number): Promise<Policies> {
  const settings: AgentPolicy = { ...OWN_SPOOL, ...defaults };
  const row = await store.db.selectFrom("policies").selectAll().where("name", "=", NAME).executeTakeFirst();
  const kept = row ? Document.parse(JSON.parse(row.document)) : { chosen: {}, inForce: settings };
  let chosen = kept.chosen;
  const inForce = { ...settings, ...chosen };
  let revision = row ? row.revision + (isSame({ ...OWN_SPOOL, ...kept.inForce }, inForce) ? 0 : 1) : 1;
  let current: PolicyInForce = { ...inForce, revision };
  if (revision !== row?.revision) await save(store, { chosen, inForce }, revision, nowMs);

  const listeners: ((policy: PolicyInForce) => void)[] = [];
  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    async change(change, by, nowMs) {
      const next = { chosen: { ...chosen, ...change }, inForce: { ...settings, ...chosen, ...change } };
      if (isSame(next.inForce, current)) return current;
      await save(store, next, revision + 1, nowMs, { by, before: current });
      chosen = next.chosen;
      revision += 1;
      current = { ...next.inForce, revision };
      for (const listener of listeners) listener(current);
      return current;
    },
  };
}

async function save(
  store: Store,
  document: z.infer<typeof Document>,
  revision: number,
  nowMs: number,
  audited?: { readonly by: ChangeBy; readonly before: AgentPolicy },
): Promise<void> {
  const values = { revision, document: JSON.stringify(document), resource_version: revision, updated_at_ms: nowMs };
  await store.write(async (trx) => {
    if (audited) {
      const change = { before: { ...audited.before }, after: { ...document.inForce, revision } };
      await writeAudit(trx, audited.by, { verb: "update", noun: "policy", id: NAME, ...change }, nowMs);
    }
    await trx
      .insertInto("policies")
      .values({ name: NAME, selector: "", priority: 0, ...values })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
      .execute();
  });
}

function isSame(a: Partial<AgentPolicy>, b: AgentPolicy): boolean {
  return AgentPolicy.keyof().options.every((name) => a[name] === b[name]);
}

/** A policy as the message that carries it, with the way for batches: `ingestAddress` as in `ControlStreamDeps`. */
export function policyMessage(policy: PolicyInForce, ingestAddress: string | null): HubMessage {
  const { revision, spoolMaxBytes, spoolMaxAgeSeconds, ...lengths } = policy;
  // 0 = the agent's own value.
  const spool = { spoolMaxBytes: BigInt(spoolMaxBytes ?? 0), spoolMaxAgeSeconds: spoolMaxAgeSeconds ?? 0 };
  const channel = { case: "grpc", value: { address: ingestAddress ?? "" } } as const;
  const routes = ingestAddress === null ? {} : { routes: { destinations: [{ name: "hub", channel }] } };
  const value = { revision: BigInt(revision), ...lengths, ...spool, ...routes };
  return create(HubMessageSchema, { body: { case: "policy", value } });
}
