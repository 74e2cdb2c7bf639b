import { ERROR_TABLE, type ErrorEntry } from "@plimsoll/contracts";
import { tableRow } from "./markdown-table.ts";

/** The page of all error codes, in the table's order. */
export function errorReference(): string {
  const rows = Object.entries(ERROR_TABLE).map(([code, entry]) => row(code, entry));
  return [
    "# Error codes",
    "",
    "Generated from `packages/contracts/src/error-table.ts` by `npm run update:docs`; do not edit.",
    "Every error that a person or a tool sees has one of these codes. `{name}` stands for a value of the case at hand.",
    "",
    "| code | HTTP | retry | message | what to do |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function row(code: string, entry: ErrorEntry): string {
  return tableRow([`\`${code}\``, entry.status, entry.retryable ? "yes" : "no", entry.message, entry.remedy]);
}
