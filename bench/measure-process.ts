import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessFigures {
  readonly milliseconds: number;
  /** Peak resident memory of the process itself, MiB. */
  readonly peakMiB: number;
}

/** Runs a program with its output thrown away; wall time and VmHWM, read each 5 ms until it ends. Linux only. */
export function measureProcess(program: string, args: readonly string[]): Promise<ProcessFigures> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
    let peakKiB = 0;
    const timer = setInterval(() => {
      peakKiB = Math.max(peakKiB, highWaterKiB(child.pid ?? 0));
    }, 5);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${program} ${args.join(" ")} ended with ${code}`));
      else resolve({ milliseconds: performance.now() - started, peakMiB: peakKiB / 1024 });
    });
  });
}

function highWaterKiB(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
