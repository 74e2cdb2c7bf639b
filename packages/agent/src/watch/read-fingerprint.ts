import type { KubeConnection } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { z } from "zod";

const Namespaces = z.object({ items: z.array(z.object({ metadata: z.object({ uid: z.string().min(1) }) })) });

/**
 * The cluster's fingerprint: UID of namespace kube-system. Throws the connection's errors, and `api_answer_invalid` when
 * there is no such namespace.
 */
export async function readFingerprint(connection: KubeConnection, signal: AbortSignal): Promise<string> {
  // A list of one: so that listing namespaces, which the agent needs anyway, is the only right that it takes.
  const query = { fieldSelector: "metadata.name=kube-system", limit: 1 };
  const raw = await connection.getJson("/api/v1/namespaces", { query, signal, what: "namespaces", repeats: 1 });
  const uid = Namespaces.safeParse(raw).data?.items[0]?.metadata.uid;
  if (uid !== undefined) return uid;
  const reason = "it has no namespace kube-system";
  throw new PlimsollError("api_answer_invalid", { server: connection.server, what: "namespaces", reason });
}
