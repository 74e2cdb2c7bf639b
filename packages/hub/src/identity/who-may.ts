import { NOUNS, VERBS } from "./access.ts";
import type { Actor } from "./actor.ts";
import { allows, grantsOf, policyOf } from "./authorize.ts";

/** What an actor may do to things of one kind; `selectors` null = on the whole fleet. */
export interface Right {
  readonly verb: string;
  readonly thing: string;
  readonly selectors: readonly string[] | null;
}

/** Everything that an actor's grants allow, in the order of nouns and verbs. */
export function rightsOf(actor: Actor): readonly Right[] {
  return NOUNS.flatMap((noun) =>
    VERBS.flatMap((verb): Right[] => {
      const grants = grantsOf(actor).filter((grant) => allows(policyOf(noun), verb, grant));
      if (grants.length === 0) return [];
      const selectors = grants.flatMap(({ selector }) => (selector === null ? [] : [selector]));
      return [{ verb, thing: noun, selectors: selectors.length < grants.length ? null : selectors }];
    }),
  );
}
