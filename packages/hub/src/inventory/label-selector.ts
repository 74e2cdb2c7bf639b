import { PlimsollError } from "@plimsoll/contracts";

/** One requirement of a selector: every one must hold. */
type Requirement =
  | { readonly operator: "exists" | "missing"; readonly key: string }
  | { readonly operator: "in" | "notin"; readonly key: string; readonly values: readonly string[] }
  | { readonly operator: "above" | "below"; readonly key: string; readonly bound: bigint };

/** Requirements on labels; none = everything. */
export type LabelSelector = readonly Requirement[];

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const TOKEN = /\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)/y;

/**
 * Parses a label selector in Kubernetes' syntax: `env=prod`, `env==prod`, `env!=prod`, `team in (a,b)`, `team notin (a)`,
 * `legacy`, `!legacy`, `nodes>5`, joined by commas. Throws `selector_invalid` saying where.
 */
export function parseSelector(text: string): LabelSelector {
  const words = new Words(text);
  const requirements: Requirement[] = [];
  if (words.peek() === undefined) return requirements;
  do requirements.push(parseRequirement(words));
  while (words.takeIf(","));
  if (words.peek() !== undefined) words.fail("a comma must stand between requirements");
  return requirements;
}

/**
 * Do the labels fulfil every requirement? As in Kubernetes, `!=` and `notin` hold where the label is missing; `>` and `<` need
 * a whole number.
 */
export function matchesSelector(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return selector.every((requirement) => holds(requirement, labels));
}

function holds(requirement: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case "exists":
      return value !== undefined;
    case "missing":
      return value === undefined;
    case "in":
      return value !== undefined && requirement.values.includes(value);
    case "notin":
      return value === undefined || !requirement.values.includes(value);
    case "above":
      return value !== undefined && /^-?\d+$/.test(value) && BigInt(value) > requirement.bound;
    case "below":
      return value !== undefined && /^-?\d+$/.test(value) && BigInt(value) < requirement.bound;
  }
}

function parseRequirement(words: Words): Requirement {
  if (words.takeIf("!")) return { operator: "missing", key: parseKey(words) };
  const key = parseKey(words);
  switch (words.peek()) {
    case "=":
    case "==":
      words.take();
      return { operator: "in", key, values: [parseValue(words)] };
    case "!=":
      words.take();
      return { operator: "notin", key, values: [parseValue(words)] };
    case "in":
    case "notin":
      return { operator: words.take() === "in" ? "in" : "notin", key, values: parseValues(words) };
    case ">":
    case "<":
      return { operator: words.take() === ">" ? "above" : "below", key, bound: parseBound(words) };
    default:
      return { operator: "exists", key };
  }
}

function parseKey(words: Words): string {
  const key = words.peek() ?? "";
  const slash = key.indexOf("/");
  const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
  if (!NAME.test(name) || (prefix !== undefined && !PREFIX.test(prefix))) words.fail("a label key must stand here");
  words.take();
  return key;
}

/** A value may be empty: `env=`. */
function parseValue(words: Words): string {
  const next = words.peek();
  if (next === undefined || next === "," || next === ")") return "";
  if (!VALUE.test(next)) words.fail("a label value must stand here");
  words.take();
  return next;
}

function parseValues(words: Words): readonly string[] {
  if (!words.takeIf("(")) words.fail("a list in parentheses must stand here");
  const values: string[] = [];
  do values.push(parseValue(words));
  while (words.takeIf(","));
  if (!words.takeIf(")")) words.fail("the list must end with a parenthesis");
  return values;
}

function parseBound(words: Words): bigint {
  const text = words.peek() ?? "";
  if (!/^-?\d{1,18}$/.test(text)) words.fail("a whole number must stand here");
  words.take();
  return BigInt(text);
}

/** The words of a selector, with their places. */
class Words {
  readonly #text: string;
  readonly #words: { readonly text: string; readonly at: number }[] = [];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
      const word = match[1] ?? "";
      this.#words.push({ text: word, at: match.index + match[0].length - word.length });
    }
  }

  peek(): string | undefined {
    return this.#words[this.#next]?.text;
  }

  take(): string | undefined {
    const word = this.peek();
    this.#next += 1;
    return word;
  }

  takeIf(text: string): boolean {
    if (this.peek() !== text) return false;
    this.#next += 1;
    return true;
  }

  fail(reason: string): never {
    const word = this.#words[this.#next];
    const at = word ? `character ${word.at + 1} (${JSON.stringify(word.text.slice(0, 40))})` : "its end";
    throw new PlimsollError("selector_invalid", { field: "selector", value: this.#text.slice(0, 200), at, reason });
  }
}
