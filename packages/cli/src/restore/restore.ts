import { restoreBackup } from "@plimsoll/hub";
import { backupText } from "../backup/backup-text.ts";
import { EXIT } from "../exit-code.ts";
import type { CommandContext } from "../program.ts";
import { defaultDataDir } from "../rest/local-hub.ts";
import type { RestoreOptions } from "./restore-command.ts";

/** Restores a backup and says what it was. Gives the exit code. */
export async function restore(options: RestoreOptions, { terminal }: CommandContext): Promise<number> {
  const dataDir = options.data ?? defaultDataDir(terminal.env);
  const manifest = await restoreBackup({ from: options.from, dataDir, nowMs: Date.now() });
  const keys = manifest.withKeys
    ? ""
    : `  keys     not in it: put the file sealing-key into ${dataDir}, or set PLIMSOLL_SEALING_KEY, before the hub starts\n`;
  const { damaged } = manifest;
  const lost =
    damaged.length === 0 ? "" : `  lost     ${damaged.length} files that were damaged before; the hub records gaps\n`;
  terminal.out.write(
    `Restored to ${dataDir}\n${backupText(manifest)}${keys}${lost}Start it:  plimsoll hub --data ${dataDir}\n`,
  );
  return EXIT.ok;
}
