import type { ErrorEntry } from "./error-table.ts";

/** Codes of the hub's start, its REST API, its registry and the streams of its agents: part of `ERROR_TABLE`. */
export const HUB_ERRORS = {
  // Hub: start
  hub_config_invalid: {
    status: 400,
    retryable: false,
    message: "The hub cannot start with these settings: {reasons}",
    remedy: "Correct them all, then start again: plimsoll hub --help",
  },
  address_in_use: {
    status: 409,
    retryable: false,
    message: "{address} is in use, so the hub cannot listen on it",
    remedy:
      "Another hub may be running there: open it, stop it, or choose another with --listen, --grpc (demo: --port)",
  },
  address_unusable: {
    status: 400,
    retryable: false,
    message: "The hub cannot listen on {address}: {reason}",
    remedy: "Name an address of this machine with --listen or --grpc, and a port above 1024 unless you are root",
  },
  data_dir_unusable: {
    status: 500,
    retryable: false,
    message: "The data folder {path} cannot be used: {reason}",
    remedy: "Name a folder that this user can write with --data",
  },
  data_dir_in_use: {
    status: 409,
    retryable: false,
    message: "Another hub (process {pid}) uses the data folder {path} as its {part}",
    remedy: "Stop that hub, or name another folder with --data; one control and one ingest may share a folder",
  },
  sealing_key_wrong: {
    status: 500,
    retryable: false,
    message: "A secret was sealed with another key ({key}) than this hub's",
    remedy: "Start the hub with the key file or PLIMSOLL_SEALING_KEY that it had before",
  },
  store_damaged: {
    status: 500,
    retryable: false,
    message: "The control store {store} is damaged: {reason}. Nothing was changed or deleted",
    remedy:
      "Restore the last backup into a new folder: plimsoll restore --from BACKUP --data DIR; keep the old one aside",
  },
  store_lost: {
    status: 500,
    retryable: false,
    message:
      "The control store {store} is {state}, and {folder} holds facts that it named. Nothing was changed or deleted",
    remedy:
      "Restore the last backup into a new folder: plimsoll restore --from BACKUP --data DIR; if the store is in PostgreSQL, set PLIMSOLL_POSTGRES; to begin anew, move {folder} aside",
  },
  data_dir_foreign: {
    status: 409,
    retryable: false,
    message:
      "The data folder {folder} holds facts of another control store (its id is {found}, the store's is {expected}). Nothing was changed or deleted",
    remedy:
      "Name the folder of this store with --data, or the store of this folder with PLIMSOLL_POSTGRES; if you know that they belong together, remove {file}",
  },
  segments_missing: {
    status: 409,
    retryable: false,
    message:
      "{missing} of {total} fact files that the control store names are not in {folder}. Nothing was changed or deleted",
    remedy:
      "Name the folder that has them with --data, mount it, or copy segments there first when you restore. If they are lost for good, make an empty file {accept}: they become gaps",
  },
  // Hub: requests
  parameter_invalid: {
    status: 400,
    retryable: false,
    message: '{field} is "{value}"; it takes {expected}',
    remedy: "See what the request takes in /openapi.json",
  },
  parameter_unknown: {
    status: 400,
    retryable: false,
    message: "The request takes no {field}{suggestion}",
    remedy: "See what the request takes in /openapi.json",
  },
  body_invalid: {
    status: 400,
    retryable: false,
    message: "The body of the request cannot be read: {reason}",
    remedy: "Send a JSON object with the header content-type: application/json",
  },
  body_too_large: {
    status: 413,
    retryable: false,
    message: "The body of the request is larger than {limit} bytes",
    remedy: "Send less: a kubeconfig needs one context only (kubectl config view --minify --flatten)",
  },
  media_type_unsupported: {
    status: 415,
    retryable: false,
    message: "The body of the request is {type}, which is not read here",
    remedy: "Send a JSON object with the header content-type: application/json",
  },
  selector_invalid: {
    status: 400,
    retryable: false,
    message: "The label selector is not understood at {at}: {reason}",
    remedy: "Write it as kubectl takes it: env=prod,team in (a,b),!legacy",
  },
  cursor_invalid: {
    status: 400,
    retryable: false,
    message: "The cursor is not of this list, or its filters have changed",
    remedy: "Begin again without a cursor",
  },
  route_unknown: {
    status: 404,
    retryable: false,
    message: "There is nothing at {method} {path}",
    remedy: "See what there is in /openapi.json",
  },
  page_missing: {
    status: 404,
    retryable: false,
    message: "The page is not built, so this hub shows none",
    remedy: "Build it with: npm run build:ui, then start the hub again; the API works without",
  },
  method_unsupported: {
    status: 405,
    retryable: false,
    message: "{path} does not take {method}; it takes {allowed}",
    remedy: "See what the address takes in /openapi.json",
  },
  request_invalid: {
    status: 400,
    retryable: false,
    message: "The request cannot be read: {reason}",
    remedy: "Send HTTP/1.1 as in the examples of the documentation",
  },
  unauthenticated: {
    status: 401,
    retryable: false,
    message: "The request does not say who asks, or with a token that is not known",
    remedy: "Send authorization: Bearer TOKEN; the admin's token is in the file admin-token of the data folder",
  },
  name_taken: {
    status: 409,
    retryable: false,
    message: "There is a {thing} {name} already",
    remedy: "Choose another name, or withdraw the one that is there first",
  },
  service_token_unknown: {
    status: 404,
    retryable: false,
    message: "There is no service token {name}",
    remedy: "See those that are there: plimsoll auth tokens",
  },
  forbidden: {
    status: 403,
    retryable: false,
    message: "{actor} may not {verb} {thing}",
    remedy: "Ask an admin of the hub for the right, or to do it",
  },
  // Hub: registry
  coverage_too_large: {
    status: 422,
    retryable: false,
    message: "{clusters} clusters of {hours} hours each are more than the {limit} hours that one question may be about",
    remedy: "Ask for at most {most} hours at a time (window), or for one cluster (cluster)",
  },
  cluster_unknown: {
    status: 404,
    retryable: false,
    message: "No cluster has the id or name {cluster}",
    remedy: "See the names with: plimsoll get clusters",
  },
  cluster_silent: {
    status: 504,
    retryable: true,
    message: "{cluster} is {state}: nothing was heard of it for {seconds} s, so its figures are of before",
    remedy: "Check its agent: kubectl -n plimsoll logs deploy/plimsoll-agent",
  },
  cluster_never_seen: {
    status: 504,
    retryable: true,
    message: "{cluster} is registered and was never heard of",
    remedy: "Check that its agent runs: kubectl -n plimsoll logs deploy/plimsoll-agent",
  },
  cluster_not_read: {
    status: 504,
    retryable: true,
    message: "{cluster}: {resource} cannot be read there ({reason})",
    remedy: "Grant the agent the read rights of its manifest; figures that need {resource} are of before, or unknown",
  },
  cluster_already_registered: {
    status: 409,
    retryable: false,
    message: "This cluster is registered already, as {cluster}",
    remedy: "Use that name: plimsoll join {cluster}; or deregister it first",
  },
  cluster_name_taken: {
    status: 409,
    retryable: false,
    message: "The name {cluster} belongs to another cluster (fingerprint {fingerprint})",
    remedy: "Choose another name, or let an operator replace the old cluster",
  },
  cluster_name_invalid: {
    status: 400,
    retryable: false,
    message: '"{name}" is no name for a cluster',
    remedy: "Name it with lower-case letters, digits, - and ., at most 63, by name",
  },
  fingerprint_missing: {
    status: 422,
    retryable: false,
    message: "The fingerprint of {cluster} cannot be read: {reason}",
    remedy: "Grant get on the namespace kube-system to the credentials of the kubeconfig",
  },
  join_token_invalid: {
    status: 401,
    retryable: false,
    message: "The join token is not known to this hub",
    remedy: "Make a new one: plimsoll join NAME",
  },
  join_token_expired: {
    status: 401,
    retryable: false,
    message: "The join token expired at {at}",
    remedy: "Make a new one: plimsoll join {cluster}",
  },
  join_token_used: {
    status: 409,
    retryable: false,
    message: "The join token was used before, by another agent",
    remedy: "Make a new one: plimsoll join {cluster}",
  },
  csr_invalid: {
    status: 400,
    retryable: false,
    message: "The certificate request is not acceptable: {reason}",
    remedy: "Send a PKCS#10 request in PEM with an ECDSA P-256 or P-384 key, signed by that key",
  },
  kubeconfig_plugin_refused: {
    status: 400,
    retryable: false,
    message: "Context {context} signs in by {means}, which a hub never does",
    remedy:
      "Make a token for it: kubectl create token plimsoll-reader --duration 8760h, or run an agent in the cluster",
  },
  kubeconfig_file_refused: {
    status: 400,
    retryable: false,
    message: "Context {context} names the file {file}, and a hub reads no files for a kubeconfig",
    remedy: "Write the files' content into it: kubectl config view --minify --flatten --raw",
  },
  context_ambiguous: {
    status: 400,
    retryable: false,
    message: "The kubeconfig has several contexts and none in use: {known}",
    remedy: "Name one with --context",
  },
  cost_facts_missing: {
    status: 504,
    retryable: true,
    message: "{cluster} delivered nothing for this time, so what it cost is unknown",
    remedy: "See since when it is silent: plimsoll describe cluster {cluster}",
  },
  nodes_unpriced: {
    status: 422,
    retryable: false,
    message: "{count} nodes of {cluster} have no price and are in no sum: {nodes}",
    remedy: "A node that does not say its cpu and memory has none; check it with: kubectl describe node",
  },
  ingest_unknown: {
    status: 503,
    retryable: true,
    message: "This control process has no ingest process yet to send agents to",
    remedy: "Start one with the same data folder: plimsoll hub --role ingest",
  },
  ingest_elsewhere: {
    status: 421,
    retryable: false,
    message: "Facts are taken in by another process of this hub, at {url}, and this needs it",
    remedy: "Ask that one: add --hub {url}",
  },
  cluster_facts_late: {
    status: 504,
    retryable: true,
    message: "{cluster} is there, but nothing of its usage arrived for {seconds} s: costs and usage are of before",
    remedy: "Check that the hub's ingest runs (/readyz of plimsoll hub --role ingest) and that its agent reaches it",
  },
  // Hub: streams of agents
  certificate_wrong: {
    status: 403,
    retryable: false,
    message: "The agent's certificate is of {holder}, and it says it is {cluster}",
    remedy: "Give every agent a state folder of its own, and join again: plimsoll join NAME",
  },
  certificate_revoked: {
    status: 403,
    retryable: false,
    message: "The agent's certificate is revoked or not known to this hub",
    remedy: "Join again: plimsoll join NAME",
  },
  fingerprint_changed: {
    status: 409,
    retryable: false,
    message: "The agent's cluster has the fingerprint {fingerprint}, and {cluster} is registered with another",
    remedy: "The cluster was built anew: join it under a new name, or let an operator replace the old one",
  },
  relay_unknown: {
    status: 403,
    retryable: false,
    message: "This hub takes no batches from relay {relay}",
    remedy: "Deliver with the certificate of the cluster itself",
  },
  hello_missing: {
    status: 400,
    retryable: false,
    message: "The stream did not begin with a hello ({reason})",
    remedy: "Upgrade the agent or the hub, whichever is older",
  },
  answers_unread: {
    status: 504,
    retryable: true,
    message: "The agent did not read the hub's answers for {seconds} s, so its stream was cut",
    remedy: "Nothing to do: the agent comes back and sends again what was not acknowledged",
  },
  // Hub: quarantine
  quarantine_unknown: {
    status: 404,
    retryable: false,
    message: "There is no entry {entry} in the quarantine",
    remedy: "See what there is with: plimsoll quarantine list",
  },
  quarantine_bytes_gone: {
    status: 409,
    retryable: false,
    message: "The bytes of entry {entry} were not kept: the quarantine of its cluster was full when it came",
    remedy: "Replay or drop what is there, then drop this one: plimsoll quarantine drop {entry} --reason TEXT",
  },
  streams_exhausted: {
    status: 503,
    retryable: true,
    message: "The hub holds {limit} streams and takes no more for now",
    remedy: "Nothing to do: the agent comes back by itself",
  },
} as const satisfies Record<string, ErrorEntry>;
