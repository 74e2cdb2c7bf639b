import type { ClusterError } from "@plimsoll/contracts";

/** Words that are listed of those that messages differ in; and whole clauses, which are longer. */
const LISTED_WORDS = 15;
const LISTED_CLAUSES = 5;

/** "4980 more: …" of a report that names only the first: a count among names would be counted as one. */
const COUNTED = /^\d+ more: /;

/**
 * Errors for reading: those of one cluster and code are one, whose message lists what theirs differ in ("No right to list
 * nodes, pods in context prod") and whose remedy is for all of them. In the order met.
 */
export function groupErrors(errors: readonly ClusterError[]): readonly ClusterError[] {
  const groups = Map.groupBy(errors, ({ cluster, code, message }) =>
    JSON.stringify([cluster, code, COUNTED.test(message)]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [merged(first, others)]));
}

function merged(first: ClusterError, others: readonly ClusterError[]): ClusterError {
  if (others.length === 0) return first;
  const { before, parts, after } = differences([first, ...others].map(({ message }) => message));
  const isWords = parts.every((part) => !part.includes(" "));
  const message = before + listed(parts, isWords ? ", " : "; ", isWords ? LISTED_WORDS : LISTED_CLAUSES) + after;
  return { ...first, message, remedy: isWords ? remedyOfAll(first.remedy, parts) : first.remedy };
}

/** The remedy of the first with all words in its place; those of a command as kubectl takes them. */
function remedyOfAll(remedy: string, [word = "", ...others]: readonly string[]): string {
  const all = listed([word, ...others], remedy.includes(`kubectl get ${word}`) ? "," : ", ", LISTED_WORDS);
  return remedy
    .split(/\b/)
    .map((part) => (part === word ? all : part))
    .join("");
}

function listed(parts: readonly string[], separator: string, most: number): string {
  const rest = parts.length - most;
  return parts.slice(0, most).join(separator) + (rest > 0 ? ` and ${rest} more` : "");
}

/** What texts begin and end with alike, in whole words, and what each has between. */
function differences(texts: readonly string[]): { before: string; parts: readonly string[]; after: string } {
  const split = texts.map((text) => text.split(/(\s+|[:;,]\s)/));
  const [one = []] = split;
  const shortest = Math.min(...split.map((words) => words.length));
  const alike = (at: number) => split.every((words) => words.at(at) === one.at(at));
  let head = 0;
  while (head < shortest - 1 && alike(head)) head += 1;
  let tail = 0;
  while (tail < shortest - 1 - head && alike(-1 - tail)) tail += 1;
  const between = split.map((words) => words.slice(head, words.length - tail).join(""));
  return {
    before: one.slice(0, head).join(""),
    parts: [...new Set(between)],
    after: one.slice(one.length - tail).join(""),
  };
}
