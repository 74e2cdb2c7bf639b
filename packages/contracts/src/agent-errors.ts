import type { ErrorEntry } from "./error-table.ts";

/** Codes of the agent: joining, state folder, spool, streams. Part of the one error table. */
export const AGENT_ERRORS = {
  spool_unwritable: {
    status: 500,
    retryable: true,
    message: "The agent's spool cannot be written: {reason}",
    remedy: "Check free space and rights of the state folder; usage is kept in memory until it can be spooled",
  },
  state_unusable: {
    status: 500,
    retryable: false,
    message: "The agent's state folder {path} cannot be used: {reason}",
    remedy: "Name a writable folder of its own with --state DIR",
  },
  state_busy: {
    status: 409,
    retryable: false,
    message: "Another agent (process {pid}) uses the state folder {path}",
    remedy: "Stop it, or give each agent a folder of its own with --state DIR",
  },
  state_other_cluster: {
    status: 409,
    retryable: false,
    message: "The state folder {path} belongs to cluster {name} ({expected}); this is {actual}",
    remedy: "Check kubeconfig and context, or name another folder with --state DIR",
  },
  join_token_missing: {
    status: 400,
    retryable: false,
    message: "The agent has not joined a hub yet and has no join token",
    remedy: "Make one on the hub with: plimsoll join NAME, and start the command that it prints",
  },
  join_token_malformed: {
    status: 400,
    retryable: false,
    message: "The join token is not of the form plj1.SECRET.HASH",
    remedy: "Copy it whole from the output of: plimsoll join NAME",
  },
  join_refused: {
    status: 403,
    retryable: false,
    message: "The hub does not let the agent join: {reason} ({hubCode})",
    remedy: "{hubRemedy}",
  },
  join_other_name: {
    status: 409,
    retryable: false,
    message: "The hub knows the cluster as {actual}, not as {expected}",
    remedy: "Leave --name out, or make a join token for the right name with: plimsoll join NAME",
  },
  hub_url_invalid: {
    status: 400,
    retryable: false,
    message: 'The hub\'s address is "{url}", {reason}',
    remedy: "Give it as https://HOST:PORT with --hub; plain http is for loopback only",
  },
  hub_unreachable: {
    status: 502,
    retryable: true,
    message: "The hub {url} does not answer: {reason}",
    remedy: "Check that it runs, its address (--hub, PLIMSOLL_HUB), DNS and firewall; an agent tries again by itself",
  },
  hub_untrusted: {
    status: 502,
    retryable: false,
    message: "{url} shows a certificate that is not the hub's: {reason}",
    remedy:
      "Give an agent a new join token, a command the hub's certificates (--hub-ca); if they are unchanged somebody is in between",
  },
  hub_answer_invalid: {
    status: 502,
    retryable: false,
    message: "{url} answers something that is not a hub's answer: {reason}",
    remedy: "Check that --hub names the hub's REST address, not a proxy's sign-in page or the gRPC port",
  },
  agent_address_unusable: {
    status: 400,
    retryable: false,
    message: "The agent cannot listen for probes on {address}: {reason}",
    remedy: "Name a free address as host:port with --listen, :PORT for every address; or leave it out",
  },
  agent_fenced: {
    status: 409,
    retryable: false,
    message: "Another agent of the same cluster ({instance}) has taken over",
    remedy: "Run one agent per cluster; nothing to do after a rolling update",
  },
  agent_deregistered: {
    status: 410,
    retryable: false,
    message: "The cluster is not registered any more: {reason}",
    remedy: "Remove the agent, or register the cluster again with: plimsoll join NAME, and an empty state folder",
  },
  agent_stopped: {
    status: 499,
    retryable: false,
    message: "The agent was stopped",
    remedy: "Start it again; what it has spooled is delivered then",
  },
  policy_invalid: {
    status: 422,
    retryable: false,
    message: "The policy cannot be applied: {field} is {value}, it takes {expected}",
    remedy: "Correct the policy on the hub; the agent goes on with the one before",
  },
} as const satisfies Record<string, ErrorEntry>;
