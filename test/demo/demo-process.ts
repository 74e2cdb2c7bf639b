import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** `npm run demo` as a process group of its own, as a terminal runs it. */
export interface DemoProcess {
  /** Resolves with what it printed once the address stands there; rejects when it ends before. */
  readonly started: Promise<Printed>;
  /** Everything printed so far. */
  out(): string;
  err(): string;
  /** Seconds since the address was printed, without those in which other programs had the processor. */
  secondsOfItsOwn(): number;
  /** Ctrl-C: the terminal sends it to the whole group. Resolves when npm is gone. */
  interrupt(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Does any process of it still run? */
  runs(): boolean;
  /** Ends it whatever it does. */
  kill(): void;
}

/** What a newcomer reads. */
export interface Printed {
  readonly url: string;
  readonly token: string;
  readonly link: string;
  readonly kubeconfig: string;
}

const ROOT = resolve(import.meta.dirname, "../..");

/** Starts the demo; `args` as after `npm run demo --`, `room` is its place for temporary files. */
export function startDemo(args: readonly string[], room: string): DemoProcess {
  const child = spawn("npm", ["run", "--silent", "demo", "--", ...args], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: room },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  let printedAt = 0;
  let waitedBefore = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const started = new Promise<Printed>((done, failed) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      const printed = readPrinted(out);
      if (printed === undefined || printedAt > 0) return;
      printedAt = performance.now();
      waitedBefore = secondsWaited(child);
      done(printed);
    });
    child.on("error", failed);
    child.on("close", (code) => failed(new Error(`the demo ended with ${code}: ${err}`)));
  });
  const group = -(child.pid ?? 0);
  return {
    started,
    out: () => out,
    err: () => err,
    secondsOfItsOwn: () => (performance.now() - printedAt) / 1000 - (secondsWaited(child) - waitedBefore),
    interrupt() {
      const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
        child.on("close", (code, signal) => done({ code, signal }));
      });
      process.kill(group, "SIGINT");
      return ended;
    },
    runs: () => signals(group, 0),
    kill: () => void signals(group, "SIGKILL"),
  };
}

function readPrinted(out: string): Printed | undefined {
  const link = /^ +open +(\S+)$/m.exec(out)?.[1];
  const [, url, token] = /PLIMSOLL_HUB=(\S+) PLIMSOLL_TOKEN=(\S+) /.exec(out) ?? [];
  const kubeconfig = /--kubeconfig (\S+)$/m.exec(out)?.[1];
  if (link === undefined || url === undefined || token === undefined || kubeconfig === undefined) return undefined;
  return { url, token, link, kubeconfig };
}

/**
 * How long the process was ready to run and another one had the processor, in seconds: a suite that shares its machine
 * measures the demo, not the neighbours. Linux only; elsewhere 0. The script hands its process over, so npm's child is it.
 */
function secondsWaited({ pid }: ChildProcess): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const [, waitedNanoseconds] = readFileSync(`/proc/${children[0]}/schedstat`, "utf8").split(" ");
    return Number(waitedNanoseconds ?? 0) / 1e9;
  } catch {
    return 0;
  }
}

function signals(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
