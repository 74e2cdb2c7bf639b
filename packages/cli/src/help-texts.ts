const EXIT_CODES = `Exit codes: 0 ok, 1 failed, 2 usage, 3 findings (with --fail-on), 4 partial (a cluster could not be read, or not fully).`;

/** Below the program's own help. */
export const PROGRAM_HELP = `
Examples:
  plimsoll demo                                  look around: a hub with a simulated fleet
  plimsoll scan                                  every context of your kubeconfig, once, nothing installed
  plimsoll scan --from-dump examples/dump/*      the example fleet, without any cluster
  plimsoll hub                                   a hub; then plimsoll join NAME for each cluster
  plimsoll help get clusters
`;

/** Below the help of `scan`: what people run, and what scripts rely on. */
export const SCAN_HELP = `
Examples:
  plimsoll scan                                  every context of your kubeconfig, as a table
  plimsoll scan --output fleet.html              one self-contained file to mail
  plimsoll scan --context prod-eu -o json        one cluster, exact figures, for tools
  plimsoll scan --from-dump dumps/*              from files made with plimsoll dump or kubectl get -o json
  plimsoll scan --fail-on critical               for a pipeline

${EXIT_CODES}
`;

/** Below the help of `dump`. */
export const DUMP_HELP = `
Examples:
  plimsoll dump --output my-fleet                every context of your kubeconfig
  plimsoll dump --context prod-eu --redact       one cluster, names replaced
  plimsoll scan --from-dump my-fleet/*           the report, later or elsewhere

Exit codes: 0 ok, 1 failed, 2 usage, 4 partial (a cluster could not be read, or not fully).
`;
