import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { printError } from "../print-error.ts";
import type { CommandContext } from "../program.ts";

/** Root of the checkout that this program runs from. */
const ROOT = resolve(import.meta.dirname, "../../../..");
const PAGE = join(ROOT, "packages/ui/dist");
const SCRIPT = "build:ui";

/** Folder of the built page; built now where it is missing and can be. Null: there is none, and the reason was printed. */
export async function builtPage(context: CommandContext): Promise<string | null> {
  if (existsSync(join(PAGE, "index.html"))) return PAGE;
  const { terminal, signal } = context;
  if (!(await canBuild())) {
    terminal.err.write("No page is built (packages/ui/dist): the REST API is served alone.\n");
    return null;
  }
  terminal.err.write("Building the page, once: packages/ui/dist is missing …\n");
  try {
    await runScript(signal);
    return PAGE;
  } catch (thrown) {
    if (signal.aborted) throw new PlimsollError("interrupted", { what: "the page" });
    if (!(thrown instanceof PlimsollError)) throw thrown;
    printError(terminal, thrown);
    return null;
  }
}

async function canBuild(): Promise<boolean> {
  const text = await readFile(join(ROOT, "package.json"), "utf8").catch(() => "{}");
  const manifest: unknown = JSON.parse(text);
  const scripts = typeof manifest === "object" && manifest !== null && "scripts" in manifest ? manifest.scripts : {};
  const vite = existsSync(join(ROOT, "node_modules/vite/package.json"));
  return vite && typeof scripts === "object" && scripts !== null && SCRIPT in scripts;
}

/** Runs the script to its end; what it printed is shown only when it fails. */
function runScript(signal: AbortSignal): Promise<void> {
  const { promise, resolve: succeed, reject } = Promise.withResolvers<void>();
  const child = spawn("npm", ["run", "--silent", SCRIPT], { cwd: ROOT, signal, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-2_000);
    });
  }
  const fail = (reason: string) => reject(new PlimsollError("page_not_built", { reason }));
  child.on("error", (error) => fail(error.message));
  child.on("close", (code) => (code === 0 ? succeed() : fail(output.trim() || `npm run ${SCRIPT} ended with ${code}`)));
  return promise;
}
