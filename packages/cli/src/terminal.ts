import type { WriteStream } from "node:tty";

/** One of the two places a command writes to. */
export interface TextSink {
  write(text: string): void;
  /** Writes what is too much to be kept in memory: resolves once the reader has taken it. */
  writeAll(text: string): Promise<void>;
  /** Someone looks at it (progress is shown), not a pipe or a file. */
  readonly isTerminal: boolean;
  /** Columns to fit text into; undefined = no limit. */
  readonly columns: number | undefined;
  readonly colours: boolean;
}

/** What a command knows of its surroundings: handed in, so that a test is a terminal too. */
export interface Terminal {
  readonly out: TextSink;
  readonly err: TextSink;
  /** A person can answer questions: standard input and error are a terminal. */
  readonly interactive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The terminal of this process. NO_COLOR and TERM=dumb are obeyed by Node's own `hasColors`; COLUMNS sets a pipe's width. */
export function processTerminal(): Terminal {
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return { out: sink(process.stdout), err: sink(process.stderr), interactive, env: process.env };
}

function sink(stream: WriteStream): TextSink {
  const isTerminal = stream.isTTY === true;
  const asked = Number(process.env.COLUMNS);
  const fallback = Number.isInteger(asked) && asked > 0 ? asked : undefined;
  return {
    write: (text) => void stream.write(text),
    writeAll: (text) => new Promise((resolve) => void stream.write(text, () => resolve())),
    isTerminal,
    columns: isTerminal ? stream.columns : fallback,
    colours: isTerminal && stream.hasColors(),
  };
}
