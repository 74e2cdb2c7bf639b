import type { Bytes } from "./byte-stream.ts";

/** One file of a dump: on disk, or a member of an archive; already unpacked. */
export interface DumpFile {
  /** As people find it again: the path as given, "!" before a path inside an archive. */
  readonly where: string;
  /** Milliseconds since 1970; undefined when the archive does not say. */
  readonly modifiedAt?: number;
  /** Set for plain files on disk: zip needs random access. */
  readonly diskPath?: string;
  /** The content from its beginning. May be called again (a second pass), but not while an earlier stream is read. */
  open(): Bytes;
}

/** Something met in a folder or archive that is no readable file. */
export interface SkippedFile {
  readonly where: string;
  readonly code: string;
  readonly reason: string;
  /** It may have held objects of the cluster, so what the dump lacks is unknown rather than empty. */
  readonly doubtful: boolean;
}

/** What walking a dump meets. */
export type DumpEntry = DumpFile | SkippedFile;

/** Narrows an entry to a file. */
export function isFile(entry: DumpEntry): entry is DumpFile {
  return "open" in entry;
}

/** `file`, but the first `open()` gives `bytes`, which are already being read. */
export function opened(file: DumpFile, bytes: Bytes): DumpFile {
  let first: Bytes | undefined = bytes;
  const open = () => {
    const now = first ?? file.open();
    first = undefined;
    return now;
  };
  return { ...file, open };
}
