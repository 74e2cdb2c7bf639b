import type { MethodDefinition } from "@grpc/grpc-js";
import { PlimsollError } from "@plimsoll/contracts";
import type { StreamMethod } from "@plimsoll/contracts/wire";

/** A message as it came: one that cannot be read is a fault and no reason for the library to end the call as it likes. */
export type Received<M> = ({ readonly message: M } | { readonly fault: PlimsollError }) & {
  /** Its size on the wire. */
  readonly bytes: number;
  /** To be called when the message is dealt with: only then there is room for another one. */
  readonly release: () => void;
};

/** A method of the wire for the server's side. */
export function tolerantMethod<Up, Down>(method: StreamMethod<Up, Down>): MethodDefinition<Received<Up>, Down> {
  return {
    ...method,
    requestSerialize: (received) => {
      if ("fault" in received) throw received.fault;
      return method.requestSerialize(received.message);
    },
    requestDeserialize: (content) => {
      const account = { bytes: content.length, release: () => {} };
      try {
        return { message: method.requestDeserialize(content), ...account };
      } catch (error) {
        if (error instanceof PlimsollError) return { fault: error, ...account };
        throw error;
      }
    },
  };
}
