import { PlimsollError } from "@plimsoll/contracts";

/** The largest body that is read: a kubeconfig with its certificates is a hundredth of it. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** What Fastify itself refuses, as a coded error; anything else unchanged. */
export function fromFastify(thrown: unknown, contentType: string | undefined): unknown {
  if (!(thrown instanceof Error) || thrown instanceof PlimsollError) return thrown;
  const code = "code" in thrown ? String(thrown.code) : "";
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new PlimsollError("body_too_large", { limit: BODY_LIMIT_BYTES });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
    case "FST_ERR_CTP_INVALID_TYPE":
      return new PlimsollError("media_type_unsupported", { type: (contentType ?? "of no type").slice(0, 80) });
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new PlimsollError("body_invalid", { reason: "it is empty" });
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new PlimsollError("body_invalid", { reason: "it is no JSON" });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new PlimsollError("body_invalid", { reason: "its length is not the announced one" });
    case "FST_ERR_BAD_URL":
      return new PlimsollError("request_invalid", { reason: "its address is not well-formed" });
    default:
      return isRefusedBody(thrown) ? new PlimsollError("body_invalid", { reason: "it is no JSON" }) : thrown;
  }
}

function isRefusedBody(thrown: Error): boolean {
  return thrown instanceof SyntaxError || ("statusCode" in thrown && thrown.statusCode === 400);
}
