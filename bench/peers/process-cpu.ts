import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** User and system time that a process and what it started have used, seconds, to a hundredth. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const all = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(Number(name))),
  );
  const sum = (of: number): number =>
    (all.get(of)?.seconds ?? 0) +
    [...all].filter(([, { parent }]) => parent === of).reduce((total, [child]) => total + sum(child), 0);
  return sum(pid);
}

/** Resident memory at its highest, MiB. */
export function peakMebibytesOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

function statOf(pid: number): [number, { readonly parent: number; readonly seconds: number }][] {
  try {
    // Behind the name, which may hold anything: 4th field parent, 14th and 15th own time, 16th and 17th that of ended children.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
    return [[pid, { parent: Number(fields[1] ?? 0), seconds: ticks / TICKS_PER_SECOND }]];
  } catch {
    return []; // it has ended meanwhile
  }
}
