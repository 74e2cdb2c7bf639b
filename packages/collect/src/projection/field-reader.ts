import { PlimsollError } from "@plimsoll/contracts";

/**
 * Reads fields of an object of unknown shape. Null and absent are the same, as in Kubernetes' JSON. A wrong type or a
 * missing required field rejects with object_unusable, which names object (`where`) and field: a guess would become a
 * wrong figure.
 */
export class FieldReader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #at: string;

  /** `where` names the object, `at` is the path of `raw` inside it ("spec.containers[0]"), empty for the object itself. */
  constructor(raw: unknown, where: string, at = "") {
    if (!isObject(raw)) throw unusable(where, `${at === "" ? "it" : at} is ${typeName(raw)}, not an object`);
    this.#fields = raw;
    this.#where = where;
    this.#at = at;
  }

  optionalText(field: string): string | undefined {
    const value = this.#fields[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string") throw this.#wrongType(field, value, "a text");
    return value;
  }

  text(field: string): string {
    return this.#required(field, this.optionalText(field));
  }

  optionalNumber(field: string): number | undefined {
    const value = this.#fields[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "number") throw this.#wrongType(field, value, "a number");
    return value;
  }

  optionalFlag(field: string): boolean | undefined {
    const value = this.#fields[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "boolean") throw this.#wrongType(field, value, "true or false");
    return value;
  }

  /** A reader of the object in `field`. */
  optionalObject(field: string): FieldReader | undefined {
    const value = this.#fields[field];
    return value === undefined || value === null ? undefined : new FieldReader(value, this.#where, this.#path(field));
  }

  object(field: string): FieldReader {
    return this.#required(field, this.optionalObject(field));
  }

  /** Readers of the objects in the list `field`. */
  optionalList(field: string): readonly FieldReader[] | undefined {
    return this.#items(field)?.map((item, i) => new FieldReader(item, this.#where, `${this.#path(field)}[${i}]`));
  }

  list(field: string): readonly FieldReader[] {
    return this.#required(field, this.optionalList(field));
  }

  optionalTexts(field: string): readonly string[] | undefined {
    return this.#items(field)?.map((item, i) => {
      if (typeof item !== "string") throw this.#wrongType(`${field}[${i}]`, item, "a text");
      return item;
    });
  }

  /** Texts by key; `only` names the keys to keep. Undefined when nothing is kept. */
  optionalTextMap(field: string, only?: ReadonlySet<string>): Record<string, string> | undefined {
    return this.#map(field, only, (key, item) => {
      if (typeof item !== "string") throw this.#wrongType(`${field}["${key}"]`, item, "a text");
      return item;
    });
  }

  /** Quantities by resource, as texts; hand-written YAML has numbers among them. */
  optionalQuantities(field: string): Record<string, string> | undefined {
    return this.#map(field, undefined, (key, item) => {
      if (typeof item === "number" || typeof item === "bigint") return String(item);
      if (typeof item !== "string") throw this.#wrongType(`${field}["${key}"]`, item, "a quantity");
      return item;
    });
  }

  #map(
    field: string,
    only: ReadonlySet<string> | undefined,
    toText: (key: string, item: unknown) => string,
  ): Record<string, string> | undefined {
    const value = this.#fields[field];
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) throw this.#wrongType(field, value, "an object");
    let texts: Record<string, string> | undefined;
    for (const key in value) {
      const item = value[key];
      // "__proto__" is no legal key in Kubernetes and would not be kept as a key here.
      if (item === null || key === "__proto__" || (only && !only.has(key))) continue;
      texts ??= {};
      texts[key] = toText(key, item);
    }
    return texts;
  }

  #items(field: string): readonly unknown[] | undefined {
    const value = this.#fields[field];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw this.#wrongType(field, value, "a list");
    return value;
  }

  #required<T>(field: string, value: T | undefined): T {
    if (value === undefined) throw unusable(this.#where, `${this.#path(field)} is missing`);
    return value;
  }

  #path(field: string): string {
    return this.#at === "" ? field : `${this.#at}.${field}`;
  }

  #wrongType(field: string, value: unknown, expected: string): PlimsollError {
    return unusable(this.#where, `${this.#path(field)} is ${typeName(value)}, not ${expected}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

function unusable(where: string, reason: string): PlimsollError {
  return new PlimsollError("object_unusable", { where, reason });
}
