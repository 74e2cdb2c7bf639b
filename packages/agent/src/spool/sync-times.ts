import type { SpoolFile, SpoolFiles } from "./spool-files.ts";

/** How often, and how long in all, something was made durable. */
export interface SyncTimes {
  add(ms: number): void;
  figures(): { readonly syncs: number; readonly syncMs: number };
}

/** Nothing yet. `onSync` hears of each, in seconds. */
export function createSyncTimes(onSync: (seconds: number) => void = () => {}): SyncTimes {
  let [syncs, syncMs] = [0, 0];
  return {
    add(ms) {
      syncs += 1;
      syncMs += ms;
      onSync(ms / 1_000);
    },
    figures: () => ({ syncs, syncMs }),
  };
}

/** The same folder, with the times of its syncs taken. */
export function timeSyncs(files: SpoolFiles, times: SyncTimes): SpoolFiles {
  const timed = async (sync: () => Promise<void>): Promise<void> => {
    const beganMs = performance.now();
    await sync();
    times.add(performance.now() - beganMs);
  };
  const timedFile = (file: SpoolFile): SpoolFile => ({
    write: (bytes, position) => file.write(bytes, position),
    sync: () => timed(() => file.sync()),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  });
  return {
    list: () => files.list(),
    readAll: (name) => files.readAll(name),
    read: (name, position, length) => files.read(name, position, length),
    create: async (name) => timedFile(await files.create(name)),
    open: async (name) => timedFile(await files.open(name)),
    remove: (name) => files.remove(name),
    syncFolder: () => timed(() => files.syncFolder()),
  };
}
