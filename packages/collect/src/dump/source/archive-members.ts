import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { type Bytes, gather } from "./byte-stream.ts";
import { type DumpEntry, type DumpFile, opened, type SkippedFile } from "./dump-file.ts";
import { type UnpackBudget, unpackError } from "./unpack.ts";

/** Members up to this size are held while they are read, so that a second pass does not unpack the archive again. */
const HELD_BYTES = 16 * 1024 * 1024;

/** Mode bits of a symbolic link in a zip's external attributes. */
const SYMLINK_MODE = 0o120000;
const FILE_TYPE_MASK = 0o170000;

/** The members of a tar. They share one stream: a member is gone when the next one is asked for. */
export async function* tarMembers(archive: DumpFile, bytes: Bytes): AsyncGenerator<DumpEntry> {
  let index = -1;
  for await (const { header, body } of decode(archive, bytes)) {
    index += 1;
    const where = `${archive.where}!${header.name}`;
    const member = { where, modifiedAt: header.mtime?.getTime(), open: memberAgain(archive, index) };
    const content = contentOf(body, archive);
    if (header.type !== "file") {
      await gather(content);
      if (header.type !== "directory") yield skipped(where, "link", `a ${header.type} in an archive is not followed`);
    } else if (header.size <= HELD_BYTES) {
      const held = await gather(content);
      yield { ...member, open: () => once(held) };
    } else {
      yield opened(member, content);
      if (!body.locked) await drain(body);
    }
  }
}

/** The members of a zip on disk. They may be opened in any order until the generator ends. */
export async function* zipMembers(archive: DumpFile, path: string, budget: UnpackBudget): AsyncGenerator<DumpEntry> {
  const zip = await openZip(archive, path);
  try {
    for await (const entry of zip.eachEntry()) {
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      if (!name.endsWith("/")) yield zipMember(zip, entry, `${archive.where}!${name}`, budget);
    }
  } catch (error) {
    throw unpackError(error, archive.where, "zip");
  } finally {
    zip.close();
  }
}

async function openZip(archive: DumpFile, path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false });
  } catch (error) {
    throw unpackError(error, archive.where, "zip");
  }
}

function zipMember(zip: ZipFile, entry: Entry, where: string, budget: UnpackBudget): DumpEntry {
  if (entry.isEncrypted()) return skipped(where, "encrypted", "it is encrypted: unpack the archive first", true);
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMLINK_MODE) {
    return skipped(where, "link", "a link in an archive is not followed");
  }
  async function* content(): Bytes {
    try {
      yield* await zip.openReadStreamPromise(entry);
    } catch (error) {
      throw unpackError(error, where, "zip");
    }
  }
  return { where, modifiedAt: entry.getLastModDate().getTime(), open: () => budget.bound(content(), where) };
}

/** Strict: an archive that was cut between two members is an error too, else what came after would be silently absent. */
function decode(archive: DumpFile, bytes: Bytes): AsyncIterable<ParsedTarEntry> {
  return readable(ReadableStream.from(bytes).pipeThrough(createTarDecoder({ strict: true })), archive);
}

/** What a stream of the tar decoder gives, its errors as ours. */
async function* readable<T>(stream: ReadableStream<T>, archive: DumpFile): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw unpackError(error, archive.where, "tar");
  }
}

/**
 * A member's bytes. Read to the end even when nobody wants the rest: modern-tar 0.8 stalls behind a cancelled body. A fault met
 * while draining shows again when the next member is asked for.
 */
async function* contentOf(body: ReadableStream<Uint8Array>, archive: DumpFile): Bytes {
  const reader = body.getReader();
  let failed = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    failed = true;
    throw unpackError(error, archive.where, "tar");
  } finally {
    reader.releaseLock();
    if (!failed) await drain(body).catch(() => undefined);
  }
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  await body.pipeTo(new WritableStream());
}

function memberAgain(archive: DumpFile, wanted: number): () => Bytes {
  return async function* open() {
    let index = -1;
    for await (const { body } of decode(archive, archive.open())) {
      index += 1;
      if (index === wanted) return yield* contentOf(body, archive);
      await drain(body);
    }
  };
}

async function* once(bytes: Uint8Array): Bytes {
  yield bytes;
}

function skipped(where: string, code: string, reason: string, doubtful = false): SkippedFile {
  return { where, code, reason, doubtful };
}
