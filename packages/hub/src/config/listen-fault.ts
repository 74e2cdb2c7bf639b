import { PlimsollError } from "@plimsoll/contracts";

/** Why an address cannot be listened on, as a coded error. */
export function listenFault(address: string, cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (reason.includes("EADDRINUSE")) return new PlimsollError("address_in_use", { address }, { cause });
  return new PlimsollError("address_unusable", { address, reason }, { cause });
}
