import type { Terminal, TextSink } from "./terminal.ts";

/** A terminal that a test reads: what was written to each side so far. */
export interface TestingTerminal {
  readonly terminal: Terminal;
  readonly out: () => string;
  readonly err: () => string;
}

/** A pipe by default: no width, no colours, nobody looking. */
export function testingTerminal(given: Partial<TextSink> = {}, env: Terminal["env"] = {}): TestingTerminal {
  const out: string[] = [];
  const err: string[] = [];
  const sink = (texts: string[]): TextSink => ({
    isTerminal: false,
    columns: undefined,
    colours: false,
    ...given,
    write: (text) => void texts.push(text),
    writeAll: async (text) => void texts.push(text),
  });
  return {
    terminal: { out: sink(out), err: sink(err), interactive: false, env },
    out: () => out.join(""),
    err: () => err.join(""),
  };
}
