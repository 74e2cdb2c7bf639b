import { Command } from "commander";
import type { CommandContext } from "../program.ts";

/** The options of `plimsoll backup`. */
export interface BackupOptions {
  readonly data?: string;
  readonly to: string;
  readonly withKeys?: true;
}

const HELP = `
The hub may run meanwhile. The key that secrets are sealed with and the admin's token are left out unless --with-keys: with
them the backup opens every kubeconfig and can sign agents' certificates, so keep it as you keep those.

Examples:
  plimsoll backup --to /backup/hub-monday                  a folder; on the same disk it takes hardly any room
  plimsoll backup --to hub.tar --with-keys                 one file, with everything that a restore needs

Exit codes: 0 ok, 1 failed, 2 usage, 4 partial (a file of the hub was damaged already; the rest is backed up).
`;

/** `plimsoll backup`: a copy of a hub's data folder while it runs. */
export function backupCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("backup")
    .summary("back up a hub while it runs")
    .description("Writes a checked copy of a hub's data folder as of one moment, to a folder or a .tar file.")
    .option("--data <DIR>", "the hub's folder (PLIMSOLL_DATA, or the user's state folder)")
    .requiredOption("--to <PATH>", "a folder that is not there, or a new file that ends in .tar")
    .option("--with-keys", "with the key that secrets are sealed with, and the admin's token")
    .addHelpText("after", HELP)
    .action(async (options: BackupOptions) => done(await (await import("./backup.ts")).backup(options, context)));
}
