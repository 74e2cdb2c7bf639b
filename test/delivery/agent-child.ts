import type { AgentOrder, AgentWord } from "./agent-process.ts";
import { Child } from "./child.ts";
import type { Fact } from "./facts.ts";

/** How it stands with an agent; figures of its spool. */
export type AgentStatus = Extract<AgentWord, { kind: "status" }>;
/** A batch that it has spooled. */
export type SpooledBatch = Extract<AgentWord, { kind: "spooled" }>;

/** What an agent is started with. */
export type AgentStart = Omit<Extract<AgentOrder, { kind: "start" }>, "kind">;

/** An agent that is killed. */
export class AgentChild {
  readonly #child: Child<AgentOrder, AgentWord>;
  readonly #onSpooled: (batch: SpooledBatch) => void;
  readonly #asked = new Map<number, (status: AgentStatus) => void>();
  readonly #joined = Promise.withResolvers<void>();
  /** Events of its log, counted. */
  readonly events = new Map<string, number>();
  readonly errors: string[] = [];
  /** Why it ended for good; null = it did not. */
  endedWith: string | null = null;
  #asks = 0;

  constructor(start: AgentStart, onSpooled: (batch: SpooledBatch) => void, under: readonly string[] = []) {
    this.#onSpooled = onSpooled;
    this.#child = new Child("agent-process.ts", (word) => this.#hear(word), under);
    this.#child.tell({ kind: "start", ...start });
  }

  get alive(): boolean {
    return this.#child.alive;
  }

  /** Resolves when it has its identity and its spool is open; also when it is gone. */
  async joined(): Promise<void> {
    await Promise.race([this.#joined.promise, this.#child.gone]);
  }

  /** Resolves when it has ended by itself; rejects after `ms`. */
  async over(ms: number): Promise<string> {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("the agent goes on")), ms).unref());
    await Promise.race([this.#child.gone, late]);
    return this.endedWith ?? "nothing";
  }

  drive(facts: readonly Fact[]): void {
    if (facts.length > 0) this.#child.tell({ kind: "facts", facts, again: false });
  }

  /** Tells it of facts that nobody said were spooled; what it has in memory all the same is not told twice. */
  driveAgain(facts: readonly Fact[]): void {
    if (facts.length > 0) this.#child.tell({ kind: "facts", facts, again: true });
  }

  setClock(offsetMs: number): void {
    this.#child.tell({ kind: "clock", offsetMs });
  }

  /** Null when it does not answer within two seconds: it is gone, or its disk hangs. */
  async status(): Promise<AgentStatus | null> {
    this.#asks += 1;
    const id = this.#asks;
    const answer = new Promise<AgentStatus>((resolve) => this.#asked.set(id, resolve));
    this.#child.tell({ kind: "ask", id });
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 2_000).unref());
    const status = await Promise.race([answer, this.#child.gone.then(() => null), late]);
    this.#asked.delete(id);
    return status;
  }

  kill(): Promise<boolean> {
    return this.#child.kill();
  }

  lastWords(): string {
    return [...this.errors.slice(-5), this.endedWith ?? "", this.#child.stderr].join("\n");
  }

  #hear(word: AgentWord): void {
    if (word.kind === "joined") this.#joined.resolve();
    if (word.kind === "spooled") this.#onSpooled(word);
    if (word.kind === "status") this.#asked.get(word.id)?.(word);
    if (word.kind === "ended") this.endedWith = word.code;
    if (word.kind !== "log") return;
    this.events.set(word.event, (this.events.get(word.event) ?? 0) + 1);
    if (word.level === "error") this.errors.push(JSON.stringify(word));
  }
}
