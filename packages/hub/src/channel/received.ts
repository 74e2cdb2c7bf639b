import type { MethodDefinition } from "@grpc/grpc-js";
import { PlimsollError } from "@plimsoll/contracts";
import type { StreamMethod } from "@plimsoll/contracts/wire";

/** A message as it came: one that cannot be read is a fault and no reason for the library to end the call as it likes. */
export type Received<M> = { readonly message: M } | { readonly fault: PlimsollError };

/** A method of the wire for the server's side. */
export function tolerantMethod<Up, Down>(method: StreamMethod<Up, Down>): MethodDefinition<Received<Up>, Down> {
  return {
    ...method,
    requestSerialize: (received) => {
      if ("fault" in received) throw received.fault;
      return method.requestSerialize(received.message);
    },
    requestDeserialize: (bytes) => {
      try {
        return { message: method.requestDeserialize(bytes) };
      } catch (error) {
        if (error instanceof PlimsollError) return { fault: error };
        throw error;
      }
    },
  };
}
