import type { KubeJson } from "../objects/kube-json.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** What the API says instead of a result: a Status object. */
export class ApiFailure extends Error {
  readonly status: number;
  /** Further fields of the Status. */
  readonly more: KubeJson;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, more: KubeJson = {}, retryAfterSeconds?: number) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.more = more;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The Status object of a failure. */
export function statusObject({ status, message, more }: ApiFailure): KubeJson {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: REASONS[status] ?? "Unknown",
    ...more,
    code: status,
  };
}

/** 410: the past that was asked for is compacted. */
export function tooOld(asked: number, oldest: number): ApiFailure {
  return new ApiFailure(410, `too old resource version: ${asked} (${oldest})`);
}

/** 504: the revision that was asked for is still to come. */
export function tooLarge(asked: number, present: number): ApiFailure {
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  const message = `Too large resource version: ${asked}, current: ${present}`;
  return new ApiFailure(504, message, { details: { causes, retryAfterSeconds: 1 } }, 1);
}

/** 404 of an object that does not exist. */
export function notFound(resource: string, group: string, name: string): ApiFailure {
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const details = { name, ...(group === "" ? {} : { group }), kind: resource };
  return new ApiFailure(404, `${qualified} "${name}" not found`, { details });
}
