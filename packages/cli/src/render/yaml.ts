import type { ScanReport } from "@plimsoll/contracts";
import { stringify } from "yaml";

/** The report as YAML: the structure of the JSON form, integers exact, texts that older readers take for others quoted. */
export function renderYaml(report: ScanReport): string {
  return stringify(report, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
}
