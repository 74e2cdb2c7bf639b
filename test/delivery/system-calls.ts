import { readFileSync } from "node:fs";

/** One system call of a traced process and its threads. */
export interface SystemCall {
  readonly name: string;
  /** What its first argument stands for: a path, or `TCP:[…]`; of `openat` the path that was opened. */
  readonly target: string;
  readonly text: string;
  /** -1 when it failed. */
  readonly result: number;
  /** Lines of the trace: it began no earlier than the one and was over no later than the other. */
  readonly began: number;
  readonly over: number;
}

/** How to run a program under strace, writing to `file`. */
export function underStrace(file: string): readonly string[] {
  const calls = "openat,write,writev,pwrite64,pwritev,fsync,fdatasync,sendto,sendmsg";
  return ["strace", "-f", "-qq", "-yy", "-s", "0", "-o", file, "-e", `trace=${calls}`];
}

/** Lines that a trace has now. */
export function lengthOf(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}

/** The calls of a trace that were over, in the order of their ends. */
export function readCalls(file: string): readonly SystemCall[] {
  const begun = new Map<string, { readonly text: string; readonly began: number }>();
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, over): SystemCall[] => {
      const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
      if (text.endsWith("<unfinished ...>")) {
        begun.set(thread, { text: text.slice(0, -"<unfinished ...>".length), began: over });
        return [];
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
      const first = resumed ? begun.get(thread) : { text: "", began: over };
      return first ? callOf(first.text + (resumed?.[1] ?? text), first.began, over) : [];
    });
}

function callOf(text: string, began: number, over: number): SystemCall[] {
  const [, name = "", args = "", result = ""] = /^(\w+)\((.*)\) += +(-?\d+)/.exec(text) ?? [];
  if (name === "") return [];
  const opened = /= \d+<([^>]*)>/.exec(text)?.[1];
  const target = name === "openat" ? (opened ?? "") : (/^\d+<(.*?)>(?:,|$)/.exec(args.trim())?.[1] ?? "");
  return [{ name, target, text, result: Number(result), began, over }];
}

/** A call that a promise names. */
export interface Step {
  readonly what: string;
  readonly is: (call: SystemCall) => boolean;
}

/**
 * Looks for the steps one after the other, each begun when the one before was over, and gives the sentence of what is not
 * there; null = all of them are, in this order.
 */
export function missingStep(calls: readonly SystemCall[], steps: readonly Step[]): string | null {
  let after: { readonly what: string; readonly over: number } | undefined;
  for (const { what, is } of steps) {
    const call = calls.find((one) => one.result >= 0 && one.began > (after?.over ?? -1) && is(one));
    if (!call) return `${what} does not come after ${after?.what ?? "the beginning"}`;
    after = { what, over: call.over };
  }
  return null;
}

export const isFlush = ({ name }: SystemCall): boolean => name === "fsync" || name === "fdatasync";
export const isWrite = ({ name }: SystemCall): boolean => /^(p?writev?|pwrite64|sendto|sendmsg)$/.test(name);
