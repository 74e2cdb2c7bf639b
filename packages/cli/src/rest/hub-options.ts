import type { Command } from "commander";

/** Which hub is asked, and as whom. */
export interface HubOptions {
  readonly hub?: string;
  readonly adminToken?: string;
  readonly hubCa?: string;
}

/** Adds the options that every command which asks a hub has. */
export function withHub(command: Command): Command {
  return command
    .option("--hub <URL>", "address of the hub (PLIMSOLL_HUB, or the hub on this machine)")
    .option("--admin-token <TOKEN>", "token to ask with (PLIMSOLL_TOKEN, or that of the hub on this machine)")
    .option("--hub-ca <FILE>", "certificates to trust the hub by, PEM (PLIMSOLL_HUB_CA)");
}
