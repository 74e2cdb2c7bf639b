import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";

/**
 * A shell that reads lines and, when its input ends, kills the process groups that "+ PID" named and "- PID" did not take
 * back, and removes the folder "$0". Its input ends when this process ends, however it ends; "off" before that makes it end
 * without doing anything.
 */
const GUARD = `pids=
while read -r word pid; do
  case $word in
    +) pids="$pids $pid " ;;
    -) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
    off) exit 0 ;;
  esac
done
for pid in $pids; do kill -s KILL -- "-$pid"; done 2>/dev/null
rm -rf -- "$0"`;

/** One started program. */
export interface StartedProcess<Name extends string> {
  readonly name: Name;
  readonly pid: number;
  readonly logFile: string;
}

/**
 * Programs that live no longer than this process: ended together by `stop`, and by a guard when this process dies of
 * whatever (SIGKILL included). None of them keeps the event loop alive. Each has its own process group.
 */
export class ProcessGroup<Name extends string> {
  readonly #dir: string;
  readonly #guard: ChildProcess;
  readonly #children = new Map<StartedProcess<Name>, Promise<void>>();
  readonly #alive = new Set<number>();
  readonly #onDeath: (error: Error) => void;
  #stopping = false;

  /** `dir` is removed at the end; `onDeath` hears of a program that ended by itself. */
  constructor(dir: string, onDeath: (error: Error) => void) {
    this.#dir = dir;
    this.#onDeath = onDeath;
    this.#guard = spawn("sh", ["-c", GUARD, dir], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    this.#guard.unref();
    this.#guard.stdin?.on("error", () => {}); // a guard that is gone is noticed by nobody but the last resort
    const pipe = this.#guard.stdin;
    if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
  }

  get started(): readonly StartedProcess<Name>[] {
    return [...this.#children.keys()];
  }

  /** Starts `command`; standard output and error go to `NAME.log` in the folder. */
  start(name: Name, command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = process.env): void {
    const logFile = `${this.#dir}/${name}.log`;
    const log = openSync(logFile, "a");
    const [program, ...args] = command;
    const child = spawn(program, args, { detached: true, stdio: ["ignore", log, log], cwd: this.#dir, env });
    closeSync(log);
    child.unref();
    const ended = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    });
    child.once("error", (error) => this.#onDeath(new Error(`${program} cannot be started: ${error.message}`)));
    const pid = child.pid;
    if (pid === undefined) return;
    this.#guard.stdin?.write(`+ ${pid}\n`);
    this.#alive.add(pid);
    this.#children.set({ name, pid, logFile }, ended);
    child.once("exit", (code, signal) => {
      this.#alive.delete(pid); // its number may soon be another program's
      this.#guard.stdin?.write(`- ${pid}\n`);
      if (!this.#stopping) this.#onDeath(new Error(`${name} ended (${signal ?? code}):\n${logTail(logFile)}`));
    });
  }

  /** Kills everything at once (test data: nothing needs to be saved), waits for the ends and removes the folder. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const awake = setInterval(() => {}, 1000); // the children do not keep the event loop alive, this wait must
    for (const pid of this.#alive) killGroup(pid);
    await Promise.all(this.#children.values());
    clearInterval(awake);
    this.#guard.stdin?.end("off\n");
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

/** The last lines of a log file; empty when there is none. */
export function logTail(path: string, lines = 15): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    return "";
  }
}
