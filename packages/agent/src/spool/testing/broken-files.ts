import { SENT_MARK } from "../segment-header.ts";
import type { SpoolFile, SpoolFiles } from "../spool-files.ts";

/** Files whose syncs do nothing: to see that tests notice it. */
export function unsyncedFiles(
  files: SpoolFiles,
  left: { readonly file: boolean; readonly folder: boolean },
): SpoolFiles {
  const sync = async (): Promise<void> => {};
  return changed(files, (file) => (left.file ? { ...file, sync } : file), left.folder ? sync : undefined);
}

/** Files on which nothing is ever marked as sent: to see that tests notice it. */
export function unmarkedFiles(files: SpoolFiles): SpoolFiles {
  return changed(files, (file) => ({
    ...file,
    write: async (bytes, position) => {
      if (position !== SENT_MARK.position) await file.write(bytes, position);
    },
  }));
}

function changed(
  files: SpoolFiles,
  change: (file: SpoolFile) => SpoolFile,
  syncFolder: () => Promise<void> = () => files.syncFolder(),
): SpoolFiles {
  return {
    list: () => files.list(),
    readAll: (name) => files.readAll(name),
    read: (name, position, length) => files.read(name, position, length),
    create: async (name) => change(await files.create(name)),
    open: async (name) => change(await files.open(name)),
    remove: (name) => files.remove(name),
    syncFolder,
  };
}
