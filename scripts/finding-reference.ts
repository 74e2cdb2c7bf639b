import { FINDING_TABLE, type FindingEntry } from "@plimsoll/core";
import { tableRow } from "./markdown-table.ts";

/** The page of all findings, in the table's order. */
export function findingReference(): string {
  const rows = Object.entries(FINDING_TABLE).map(([code, entry]: [string, FindingEntry]) =>
    tableRow([`\`${code}\``, entry.severity, entry.message, entry.remedy]),
  );
  return [
    "# Findings",
    "",
    "Generated from `packages/core/src/findings/finding-table.ts` by `npm run update:docs`; do not edit.",
    "What a scan tells a person to look at. `{name}` stands for a value of the case at hand. `--fail-on SEVERITY` makes a scan",
    "exit with 3 when there is one of at least that severity.",
    "",
    "| code | severity | message | what to do |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
