import type { CommandContext } from "../program.ts";

/** The options of `plimsoll dump`, parsed. Times in milliseconds. */
export interface DumpOptions {
  readonly kubeconfig?: string;
  readonly context?: readonly string[];
  readonly output: string;
  readonly redact: boolean;
  readonly timeout: number;
}

export async function dump(_options: DumpOptions, _context: CommandContext): Promise<number> {
  throw new Error("not built yet");
}
