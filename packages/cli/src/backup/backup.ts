import { PlimsollError } from "@plimsoll/contracts";
import { HUB_VERSION, takeBackup } from "@plimsoll/hub";
import { EXIT } from "../exit-code.ts";
import type { CommandContext } from "../program.ts";
import { defaultDataDir } from "../rest/local-hub.ts";
import type { BackupOptions } from "./backup-command.ts";
import { backupText } from "./backup-text.ts";

/** Backs a hub up and says what is in the backup. Gives the exit code. */
export async function backup(options: BackupOptions, { terminal }: CommandContext): Promise<number> {
  if (terminal.env.PLIMSOLL_POSTGRES) throw new PlimsollError("backup_store_elsewhere");
  const manifest = await takeBackup({
    dataDir: options.data ?? defaultDataDir(terminal.env),
    to: options.to,
    withKeys: options.withKeys === true,
    hubVersion: HUB_VERSION,
    nowMs: Date.now(),
  });
  terminal.out.write(`Backed up to ${options.to}\n${backupText(manifest)}`);
  if (!manifest.withKeys) {
    terminal.out.write(
      "  keys     not in it: keep the file sealing-key of the data folder apart, a restore needs it\n",
    );
  }
  if (manifest.damaged.length === 0) return EXIT.ok;
  terminal.err.write(`Missing or damaged in the hub, so not in the backup: ${manifest.damaged.join(", ")}\n`);
  return EXIT.partial;
}
