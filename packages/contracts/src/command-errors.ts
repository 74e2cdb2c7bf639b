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
  spool_not_found: {
    status: 404,
    retryable: false,
    message: "{path} is no agent's state folder: it has no spool",
    remedy: "Name the folder that the agent keeps its state in (--state DIR), or the folder spool of one",
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
  backup_source_missing: {
    status: 404,
    retryable: false,
    message: "{path} is no data folder of a hub: it has no hub.sqlite",
    remedy: "Name the hub's folder with --data",
  },
  backup_store_elsewhere: {
    status: 400,
    retryable: false,
    message: "The control store of this hub is in PostgreSQL, which a backup of its folder does not hold",
    remedy: "Back up the database with pg_dump, and the folder segments beside it: see docs/guides/backup.md",
  },
  backup_target_taken: {
    status: 409,
    retryable: false,
    message: "{path} is there already, so no backup is written to it",
    remedy: "Name a folder that is not there, or a new file that ends in .tar, with --to",
  },
  backup_failed: {
    status: 500,
    retryable: true,
    message: "The backup {path} was not written: {reason}",
    remedy: "Check free space and rights there; what was written of it is gone",
  },
  backup_unreadable: {
    status: 400,
    retryable: false,
    message: "{path} is no backup that this release can read: {reason}",
    remedy: "Name a folder or .tar file that plimsoll backup wrote, or use the release that wrote it",
  },
  backup_damaged: {
    status: 422,
    retryable: false,
    message: "The backup {path} is damaged: {file} {reason}",
    remedy: "Use another backup; nothing was restored",
  },
  restore_target_taken: {
    status: 409,
    retryable: false,
    message: "{path} is not empty, so nothing is restored into it",
    remedy: "Name a folder that is not there, or move the old one aside: mv {path} {path}.old",
  },
} as const satisfies Record<string, ErrorEntry>;
