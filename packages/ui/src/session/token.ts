import { useSyncExternalStore } from "react";
import { readKept, writeKept } from "./kept.ts";

const KEPT_AS = "plimsoll.token";

/** Who is signed in in this tab, and whether a token was thrown out by the hub. */
export interface Session {
  readonly token: string | null;
  readonly expired: boolean;
}

let session: Session = { token: null, expired: false };
const listeners = new Set<() => void>();

function change(next: Session): void {
  session = next;
  writeKept("session", KEPT_AS, next.token);
  for (const listener of listeners) listener();
}

/** The token of this tab; null when not signed in. */
export function currentToken(): string | null {
  return session.token;
}

/** Keeps the token in this tab until it is closed. */
export function signIn(token: string): void {
  change({ token, expired: false });
}

/** Forgets the token. `expired` = the hub refused it, a person did not ask. */
export function signOut(expired = false): void {
  if (session.token !== null) change({ token: null, expired });
}

/** The session, live. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The token that a sign-in link carries behind `#`; null in any other address. */
export function tokenOfHash(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") || null;
}

/**
 * Takes the token from the address (and out of it, so that it is in no history or screenshot), or the one kept in this
 * tab. Also later, when a sign-in link is opened in a tab that already shows the page.
 */
export function startSession(): void {
  session = { token: readKept("session", KEPT_AS), expired: false };
  takeTokenFromAddress();
  addEventListener("hashchange", takeTokenFromAddress);
}

function takeTokenFromAddress(): void {
  const token = tokenOfHash(location.hash);
  if (token === null) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  signIn(token);
}
