import type { ErrorEntry } from "./error-table.ts";

/** Codes of the commands that ask a hub, and of the demo: part of `ERROR_TABLE`. */
export const COMMAND_ERRORS = {
  hub_not_named: {
    status: 400,
    retryable: false,
    message: "No hub is named, and none was started on this machine with the data folder {folder}",
    remedy: "Name one with --hub URL or PLIMSOLL_HUB, start one with plimsoll hub, or try npm run demo",
  },
  hub_token_wrong: {
    status: 401,
    retryable: false,
    message: "The hub {url} does not know who asks: the token is missing or wrong",
    remedy: "Give the one of the file admin-token in the hub's data folder with --admin-token or PLIMSOLL_TOKEN",
  },
  hub_refused: {
    status: 502,
    retryable: false,
    message: "The hub {url} refused the request",
    remedy: "See what the hub says, and its log",
  },
  file_unreadable: {
    status: 400,
    retryable: false,
    message: "{path} cannot be read: {reason}",
    remedy: "Check the path and its rights",
  },
  argument_missing: {
    status: 400,
    retryable: false,
    message: "{command} needs {argument}",
    remedy: "See: {command} --help",
  },
  interrupted: {
    status: 499,
    retryable: true,
    message: "Stopped before {what} was done",
    remedy: "Run it again",
  },
  page_not_built: {
    status: 500,
    retryable: true,
    message: "The page could not be built: {reason}",
    remedy: "Build it by hand to see why: npm run build:ui; until then the hub serves its REST API alone",
  },
} as const satisfies Record<string, ErrorEntry>;
