import { CommanderError } from "commander";
import { exitCodeOf } from "./exit-code.ts";
import { printThrown } from "./print-error.ts";
import { buildProgram, type CommandContext } from "./program.ts";

/**
 * Runs one command line (without the program's name) and gives its exit code. Never throws: what goes wrong is written to
 * the terminal as a coded error. Without arguments it prints help.
 */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : [...args], { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode;
    return exitCodeOf(printThrown(context.terminal, thrown).code);
  }
}
