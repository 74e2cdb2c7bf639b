import { Command } from "commander";
import type { CommandContext } from "../program.ts";

/** The options of `plimsoll restore`. */
export interface RestoreOptions {
  readonly data?: string;
  readonly from: string;
}

const HELP = `
Every file is checked. Nothing is restored into a folder that holds anything. Agents send again what the backup lacks and
they still hold; what they had delivered after the backup and no longer hold becomes a gap with its time.

Examples:
  plimsoll restore --from /backup/hub-monday --data /var/lib/plimsoll
  plimsoll restore --from hub.tar
`;

/** `plimsoll restore`: a data folder made of a backup. */
export function restoreCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("restore")
    .summary("make a hub's data folder of a backup")
    .description("Makes the data folder of a hub from what plimsoll backup wrote. Then start the hub with that folder.")
    .requiredOption("--from <PATH>", "folder or .tar file of a backup")
    .option("--data <DIR>", "folder to make, not there or empty (PLIMSOLL_DATA, or the user's state folder)")
    .addHelpText("after", HELP)
    .action(async (options: RestoreOptions) => done(await (await import("./restore.ts")).restore(options, context)));
}
