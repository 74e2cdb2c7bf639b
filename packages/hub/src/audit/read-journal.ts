import type { Clock } from "@plimsoll/collect";
import { reportError } from "@plimsoll/contracts";
import type { Noun, Verb } from "../identity/access.ts";
import { actorName } from "../identity/actor.ts";
import type { HubLog } from "../log/hub-log.ts";
import type { Store } from "../store/store.ts";
import { type ChangeBy, writeAudit } from "./audit.ts";

/** What was read: money and the log itself are worth a row. */
export interface AuditedRead {
  readonly verb: Verb;
  readonly noun: Noun;
  /** Path and query of the request. */
  readonly url: string;
}

const AUDITED: readonly Noun[] = ["audit", "cost"];
/** A page that asks again and again is one reader: what an actor asks of one path is kept once in this time, the first question. */
const SAME_READ_MS = 10 * 60_000;
const MOST_REMEMBERED = 5_000;
const MOST_URL = 1_000;

/** Keeps in the audit log who reads costs, exports, and the audit log. */
export class ReadJournal {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: HubLog;
  /** When each question was kept last, oldest first. */
  readonly #kept = new Map<string, number>();

  constructor(store: Store, clock: Clock, log: HubLog) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves when the row is durable, or at once when it is not worth one. Never rejects: the answer was given. */
  async keep(by: ChangeBy, { verb, noun, url }: AuditedRead): Promise<void> {
    if (!AUDITED.includes(noun) || (verb !== "read" && verb !== "list")) return;
    const asked = url.slice(0, MOST_URL);
    // By path: a window that moves makes another question of each poll.
    if (!this.#isNew(`${actorName(by.actor)} ${by.address} ${asked.split("?", 1)[0]}`)) return;
    try {
      const read = { verb, noun, id: null, after: { asked } };
      await this.#store.write((trx) => writeAudit(trx, by, read, this.#clock.now()));
    } catch (fault) {
      this.#log("error", "audit_not_stored", { ...reportError(fault) });
    }
  }

  #isNew(question: string): boolean {
    const now = this.#clock.now();
    const last = this.#kept.get(question);
    if (last !== undefined && now - last < SAME_READ_MS) return false;
    this.#kept.delete(question);
    this.#kept.set(question, now);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MOST_REMEMBERED) break;
      this.#kept.delete(oldest);
    }
    return true;
  }
}
