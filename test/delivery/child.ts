import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A program of this folder as a process of its own, that is told things and says things. It dies with this process. */
export class Child<Order extends object, Word> {
  readonly #process: ChildProcess;
  readonly #gone: Promise<unknown>;
  readonly #under: readonly string[];
  #stderr = "";

  /** `program` beside this file, run `under` another one if that is named. `onWord` hears all that it says, in order. */
  constructor(program: string, onWord: (word: Word) => void, under: readonly string[] = []) {
    this.#under = under;
    const [command = "", ...args] = [...under, process.execPath, fileURLToPath(new URL(program, import.meta.url))];
    this.#process = spawn(command, args, {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4_000);
    });
    this.#gone = once(this.#process, "exit");
    this.#process.on("message", onWord);
  }

  /** Neither killed nor ended. */
  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** What it wrote to standard error, the end of it. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Resolves when it is gone, however. */
  get gone(): Promise<unknown> {
    return this.#gone;
  }

  /** A process that is gone hears nothing. */
  tell(order: Order): void {
    if (this.#process.connected) this.#process.send(order, () => undefined);
  }

  /** SIGKILL. Gives whether it was that which ended it. */
  async kill(): Promise<boolean> {
    // A program that it runs under would be killed in its place: it kills itself when nobody speaks to it any more.
    if (this.#under.length > 0 && this.#process.connected) this.#process.disconnect();
    else if (this.alive) this.#process.kill("SIGKILL");
    await this.#gone;
    return this.#process.signalCode === "SIGKILL";
  }
}
