import { stringify } from "yaml";

/** A report or answer as YAML: the structure of the JSON form, integers exact, texts that older readers take for others quoted. */
export function renderYaml(content: object): string {
  return stringify(content, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
}
