import type { UnusedInput } from "@plimsoll/contracts";
import type { LeftOutObject } from "../dump-manifest.ts";

/** Rows listed one by one per code; more are counted in one row. A support bundle holds thousands of logs. */
const LISTED_PER_CODE = 20;

/** What was met and not used, in a form that stays readable and small however much it is. */
export class UnusedRows {
  readonly #rows = new Map<string, UnusedInput[]>();
  readonly #more = new Map<string, { count: number; example: UnusedInput }>();
  readonly #leftOut: LeftOutObject[] = [];
  readonly #kinds = new Map<string, { objects: number; where: string; files: number; lastFile: string }>();

  add(where: string, code: string, reason: string): void {
    const rows = this.#rows.get(code) ?? [];
    this.#rows.set(code, rows);
    if (rows.length < LISTED_PER_CODE) rows.push({ where, code, reason });
    else this.#count(code, { where, code, reason });
  }

  /** An object that figures lack: none is folded away, each is an error of the report. */
  addLeftOut(row: LeftOutObject): void {
    this.#leftOut.push(row);
  }

  /** Objects of a kind that no figure needs: counted, not listed. */
  addKind(kind: string, where: string, objects = 1): void {
    const held = this.#kinds.get(kind);
    if (held === undefined) {
      this.#kinds.set(kind, { objects, where, files: 1, lastFile: where });
      return;
    }
    held.objects += objects;
    if (held.lastFile !== where) {
      held.files += 1;
      held.lastFile = where;
    }
  }

  /** Everything: kinds first, then row by row in the order met, by code; objects that figures lack last. */
  list(): readonly UnusedInput[] {
    const kinds = Array.from(this.#kinds, ([kind, { objects, where, files }]) => ({
      where: files === 1 ? where : `${where} and ${files - 1} more`,
      code: "kind_not_read",
      reason: `${kind}: ${plural(objects, "object")}; no figure needs this kind`,
    }));
    const rows = Array.from(this.#rows, ([code, listed]) => {
      const more = this.#more.get(code);
      if (more === undefined) return listed;
      const reason = `${more.count} more of this sort`;
      return [...listed, { where: `${more.example.where} and others`, code, reason }];
    });
    return [...kinds, ...rows.flat(), ...this.#leftOut];
  }

  #count(code: string, example: UnusedInput): void {
    const held = this.#more.get(code);
    if (held === undefined) this.#more.set(code, { count: 1, example });
    else held.count += 1;
  }
}

/** "1 object", "2 objects". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
