import type { HubSettings } from "@plimsoll/hub";
import type { Break } from "./broken-parts.ts";
import { Child } from "./child.ts";
import type { HubOrder, HubWord } from "./hub-process.ts";

/** What a hub is started with. */
export interface HubStart {
  readonly settings: HubSettings;
  readonly offsetMs: number;
  readonly broken: Break | null;
  /** A program to run it under. */
  readonly under?: readonly string[];
}

/** A hub that is killed. */
export class HubChild {
  readonly #child: Child<HubOrder, HubWord>;
  readonly #waiting: (() => void)[] = [];
  /** Events of its log, counted. */
  readonly events = new Map<string, number>();
  /** The last errors of its log. */
  readonly errors: string[] = [];
  /** Set once it listens. */
  url = "";
  adminToken = "";
  commits = 0;

  constructor({ settings, offsetMs, broken, under }: HubStart) {
    this.#child = new Child("hub-process.ts", (word) => this.#hear(word), under);
    this.#child.tell({ kind: "start", settings, offsetMs, broken });
  }

  get alive(): boolean {
    return this.#child.alive;
  }

  /** Resolves when it listens; rejects with what it said when it ends before that. */
  async ready(): Promise<this> {
    const said = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.url === "") await Promise.race([said, this.#child.gone]);
    if (this.url === "") throw new Error(`the hub ended by itself: ${this.lastWords()}`);
    return this;
  }

  /** Resolves when it has begun more commits than `count`, or is gone. */
  async committing(count: number): Promise<void> {
    while (this.alive && this.commits <= count) {
      await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), this.#child.gone]);
    }
  }

  /** A token by which a cluster of this name joins. */
  async joinToken(clusterName: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.adminToken}`, "content-type": "application/json" };
    const body = JSON.stringify({ clusterName });
    const answer = await fetch(`${this.url}/api/v1/join-tokens`, { method: "POST", headers, body });
    const { token } = (await answer.json()) as { readonly token: string };
    return token;
  }

  tell(order: HubOrder): void {
    this.#child.tell(order);
  }

  kill(): Promise<boolean> {
    return this.#child.kill();
  }

  lastWords(): string {
    return [...this.errors.slice(-5), this.#child.stderr].join("\n");
  }

  #hear(word: HubWord): void {
    if (word.kind === "ready") [this.url, this.adminToken] = [word.url, word.adminToken ?? ""];
    if (word.kind === "committing") this.commits += 1;
    if (word.kind === "log") {
      this.events.set(word.event, (this.events.get(word.event) ?? 0) + 1);
      if (word.level === "error") this.errors.push(JSON.stringify(word));
    }
    if (word.kind !== "log") for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
