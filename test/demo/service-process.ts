import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** A `plimsoll` command that runs until it is stopped. */
export interface Service {
  /** Resolves with everything printed when `pattern` is in it; rejects when it ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** Asks it to stop; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves with its exit code when it ends by itself. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

const BIN = resolve(import.meta.dirname, "../../packages/cli/bin/plimsoll.js");

/** Starts it with plain Node, as a user does. */
export function startService(args: readonly string[], env: Readonly<Record<string, string>>): Service {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let ends: number | null | undefined;
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const look of [...waiting]) look();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      changed();
    });
  }
  const ended = new Promise<number | null>((done) => {
    child.on("close", (code) => {
      ends = code;
      changed();
      done(code);
    });
  });
  return {
    ended,
    printed: (pattern) =>
      new Promise((done, failed) => {
        const look = () => {
          if (pattern.test(text)) done(text);
          else if (ends !== undefined) failed(new Error(`${args[0]} ended with ${ends}: ${text}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    stop(signal = "SIGINT") {
      child.kill(signal);
      return ended;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
