import { NOUNS, type Noun, VERBS } from "../packages/hub/src/identity/access.ts";
import { policyOf } from "../packages/hub/src/identity/authorize.ts";
import { ROLES, type Role } from "../packages/hub/src/identity/roles.ts";
import { tableRow } from "./markdown-table.ts";

/** The page of what each role may do, from the policies. */
export function rolesReference(): string {
  return [
    "# Roles",
    "",
    "Generated from `packages/hub/src/identity/policies` by `npm run update:docs`; do not edit.",
    "What is not named is denied. A role is granted on the whole fleet, or on the clusters that a label selector matches: lists, sums and",
    "counts are then of those clusters alone. `*` = needs the whole fleet. The hub's own token (`admin-token`) is `admin` of the whole fleet.",
    "",
    tableRow(["things", ...ROLES]),
    `|---|${ROLES.map(() => "---|").join("")}`,
    ...NOUNS.filter((noun) => !isOpen(noun)).map((noun) =>
      tableRow([`**${noun}**: ${policyOf(noun).about}`, ...ROLES.map((role) => verbsOf(noun, role))]),
    ),
    "",
    `Without signing in: ${NOUNS.filter(isOpen).join(", ")} may be read, and whoever holds a join token may use it.`,
    "",
  ].join("\n");
}

function isOpen(noun: Noun): boolean {
  return Object.keys(policyOf(noun).roles).length === 0;
}

function verbsOf(noun: Noun, role: Role): string {
  const { roles, wholeFleet = [] } = policyOf(noun);
  const may = VERBS.filter((verb) => roles[verb] !== undefined && (role === "admin" || roles[verb].includes(role)));
  return may.map((verb) => (wholeFleet.includes(verb) ? `${verb} *` : verb)).join(", ") || "–";
}
