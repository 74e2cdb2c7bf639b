import type { KubeConnection } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";

/** A probe is a short question, milliseconds. */
const DEADLINE_MS = 5_000;

/**
 * Why the API server calls itself not ready, by `/readyz`, or by `/healthz` where that may not be asked; null = it is ready,
 * or says nothing about it. What keeps the question from being answered is no word of the server on its health.
 */
export async function unreadiness(connection: KubeConnection, signal: AbortSignal): Promise<string | null> {
  const first = await ask(connection, "/readyz", signal);
  return first === "unasked" ? askLast(connection, signal) : first;
}

async function askLast(connection: KubeConnection, signal: AbortSignal): Promise<string | null> {
  const answer = await ask(connection, "/healthz", signal);
  return answer === "unasked" ? null : answer;
}

async function ask(connection: KubeConnection, path: string, signal: AbortSignal): Promise<string | null> {
  try {
    await connection.getText(path, { deadlineMs: DEADLINE_MS, repeats: 0, signal, what: path });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PlimsollError)) throw error;
    if (error.code === "cluster_forbidden" || error.code === "api_missing") return "unasked";
    return error.code === "api_error" ? `${path} answers ${error.fields.status ?? "an error"}` : null;
  }
}
