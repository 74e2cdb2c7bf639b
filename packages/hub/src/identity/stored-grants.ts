import { PlimsollError } from "@plimsoll/contracts";
import { z } from "zod";
import { parseSelector } from "../inventory/label-selector.ts";
import { type Grant, ROLES } from "./roles.ts";

const Grants = z.array(z.object({ role: z.enum(ROLES), selector: z.string().nullable() }));

/** The grants of a row. */
export function readGrants(text: string): readonly Grant[] {
  return Grants.parse(JSON.parse(text));
}

/** Throws `selector_invalid` for a grant on clusters that cannot be named so, and `parameter_invalid` for none at all. */
export function checkGrants(grants: readonly Grant[]): void {
  if (grants.length === 0) {
    throw new PlimsollError("parameter_invalid", { field: "grants", value: "[]", expected: "at least one role" });
  }
  for (const { selector } of grants) if (selector !== null) parseSelector(selector);
}
