import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseEnvelope } from "@plimsoll/contracts/wire";
import type { FactPorts, Ledger } from "@plimsoll/hub";
import type { SpoolFile, SpoolFiles } from "../../packages/agent/src/spool/spool-files.ts";

/** Promises that the tests can break, to see that they notice: no flush, a ledger that forgets, an answer before its time. */
const BREAKS = ["nofsync", "dedupe", "ack-before-commit"] as const;
export type Break = (typeof BREAKS)[number];

/** The promise that this run breaks, by the environment's BREAK; null = none. Throws for a word that is none of them. */
export function breakOfRun(text = process.env.BREAK ?? ""): Break | null {
  const known = BREAKS.find((one) => one === text);
  if (text !== "" && known === undefined) throw new Error(`BREAK is "${text}"; it takes ${BREAKS.join(", ")}`);
  return known ?? null;
}

/** The hub's parts, broken. */
export function brokenHub(broken: Break | null): Partial<FactPorts> {
  switch (broken) {
    case "nofsync":
      return { disk: (real) => ({ ...real, flushFile: sizeAndHash, flushFolder: async () => {} }) };
    case "dedupe":
      return { ledger: forgetful };
    case "ack-before-commit":
      return {
        ingest: (real) => ({
          ...real,
          ingestEnvelope: async (bytes, source) => {
            void real.ingestEnvelope(bytes, source);
            const { key } = parseEnvelope(bytes);
            const { clusterId, spoolId, sequence } = key;
            // As its own range, unless it is the first: a range must lie above what is contiguous.
            const mark =
              sequence === 1
                ? { spoolId, contiguous: 1, ranges: [] }
                : { spoolId, contiguous: 0, ranges: [{ first: sequence, last: sequence }] };
            return { kind: "ack", clusterId, verdict: "applied", mark };
          },
        }),
      };
    case null:
      return {};
  }
}

/** The agent's folder, broken. */
export function brokenFiles(files: SpoolFiles, broken: Break | null): SpoolFiles {
  if (broken !== "nofsync") return files;
  const unsynced = async (opening: Promise<SpoolFile>): Promise<SpoolFile> => ({
    ...(await opening),
    sync: async () => {},
  });
  return {
    ...files,
    create: (name) => unsynced(files.create(name)),
    open: (name) => unsynced(files.open(name)),
    syncFolder: async () => {},
  };
}

/** Size and hash as the real one gives them; nothing is flushed. */
async function sizeAndHash(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const content = await readFile(path);
  return { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

/** Every batch is news to it. The rows of a repeat are registered; only the row of the batch is there already. */
function forgetful(real: Ledger): Ledger {
  return {
    ...real,
    judge: async (entries) => entries.map(() => "applied"),
    commit: async (commit) => {
      const verdicts = await real.judge(commit.entries.map(({ entry }) => entry));
      const entries = commit.entries.map(({ entry }, index) => ({ entry, verdict: verdicts[index] ?? "duplicate" }));
      return real.commit({ ...commit, entries });
    },
  };
}
