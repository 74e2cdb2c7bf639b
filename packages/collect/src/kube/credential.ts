/** What proves to an API server who asks. Never printed, never part of an error. */
export interface Credential {
  /** Authorization and impersonation headers. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** PEM certificate chain and key. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
}

/**
 * Where credentials come from: fixed, a token file that rotates, a plug-in. `current` is called before every request,
 * possibly by several at once, and is cheap when nothing changed; it gives the same object while nothing changed.
 * `refused` says that the server answered 401 to `used`; true means that the next `current` may bring another one, so
 * that one repetition makes sense. `close` ends what still runs.
 */
export interface CredentialSource {
  current(signal: AbortSignal): Promise<Credential>;
  refused(used: Credential): boolean;
  close?(): void;
}

/** A credential that never changes (none at all included). */
export function fixedCredential(credential: Credential = {}): CredentialSource {
  return { current: async () => credential, refused: () => false };
}
