import { CrashingDisk } from "./crashing-disk.ts";

/** A folder in memory for each kind of a spool. */
export interface MemoryDisks {
  readonly gap: CrashingDisk;
  readonly usage: CrashingDisk;
  readonly node: CrashingDisk;
  readonly sample: CrashingDisk;
}

/** Empty ones, or what `make` gives. */
export function memoryDisks(make: (kind: keyof MemoryDisks) => CrashingDisk = () => new CrashingDisk()): MemoryDisks {
  return { gap: make("gap"), usage: make("usage"), node: make("node"), sample: make("sample") };
}
