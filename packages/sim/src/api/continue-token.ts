import { ApiFailure } from "./api-status.ts";

/** Where a paged list goes on: after the object of this key, at this revision (-1: at whatever is present then). */
export interface ContinuePoint {
  readonly revision: number;
  readonly startKey: string;
}

/** The token of a point: opaque to clients, the same shape as a real API server's. */
export function encodeContinue({ revision, startKey }: ContinuePoint): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start: `${startKey}\u0000` })).toString(
    "base64url",
  );
}

/** The point of a token; 400 when it is none. */
export function decodeContinue(token: string): ContinuePoint {
  const value = parse(Buffer.from(token, "base64url").toString("utf8"));
  if (typeof value === "object" && value !== null && "rv" in value && "start" in value) {
    const { rv, start } = value;
    if (typeof rv === "number" && typeof start === "string" && start.endsWith("\u0000")) {
      return { revision: rv, startKey: start.slice(0, -1) };
    }
  }
  throw new ApiFailure(400, "continue key is not valid: encoded continue token has no usable start");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
