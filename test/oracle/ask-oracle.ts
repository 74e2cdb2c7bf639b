import { spawnSync } from "node:child_process";

/** A question to upstream's code: one quantity text, or one pod as it would stand in an API answer. */
export type Question = { readonly quantity: string } | { readonly pod: unknown };

/** An exact decimal, `unscaled × 10^-scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** What upstream says; `error` where it refuses the input. Lists are by resource name. */
export interface Answer {
  readonly error: string | undefined;
  readonly value: Decimal | undefined;
  readonly requests: ReadonlyMap<string, Decimal>;
  readonly limits: ReadonlyMap<string, Decimal>;
  readonly requestsPodLevelResize: ReadonlyMap<string, Decimal>;
  readonly limitsPodLevelResize: ReadonlyMap<string, Decimal>;
}

const MAX_OUTPUT_BYTES = 1 << 29;
/** A question on which upstream hangs (an exponent in the millions) must end the test, not wait for ever. */
const DEADLINE_MILLISECONDS = 60_000;

/** Asks the oracle program all questions in one go; answers are in the order of the questions. */
export function askOracle(program: string, questions: readonly Question[]): readonly Answer[] {
  const ran = spawnSync(program, {
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: DEADLINE_MILLISECONDS,
  });
  if (ran.error) throw ran.error;
  if (ran.status !== 0) throw new Error(`oracle exited with ${ran.status ?? ran.signal}: ${ran.stderr}`);
  const answers = ran.stdout.trimEnd().split("\n").map(readAnswer);
  if (answers.length !== questions.length) {
    throw new Error(`oracle gave ${answers.length} answers to ${questions.length} questions`);
  }
  return answers;
}

function readAnswer(line: string): Answer {
  const answer = object(JSON.parse(line));
  return {
    error: answer.error === undefined ? undefined : String(answer.error),
    value: answer.value === undefined ? undefined : readDecimal(answer.value),
    requests: readList(answer.requests),
    limits: readList(answer.limits),
    requestsPodLevelResize: readList(answer.requestsPodLevelResize),
    limitsPodLevelResize: readList(answer.limitsPodLevelResize),
  };
}

function readList(list: unknown): ReadonlyMap<string, Decimal> {
  return new Map(Object.entries(object(list ?? {})).map(([name, value]) => [name, readDecimal(value)]));
}

function readDecimal(value: unknown): Decimal {
  const { unscaled, scale } = object(value);
  if (typeof unscaled !== "string" || typeof scale !== "number") throw new Error(`no decimal: ${String(value)}`);
  return { unscaled: BigInt(unscaled), scale };
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Error(`no object: ${String(value)}`);
  return Object.fromEntries(Object.entries(value));
}
