import type { ClusterDetail, FieldOrigin } from "@plimsoll/contracts/rest";
import { ageSeconds, formatAge } from "../format/age.ts";
import { UNKNOWN } from "../format/unknown.ts";
import type { Paint } from "../paint.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { layTable } from "../render/table/table-layout.ts";
import { type Layer, valueText } from "./layers.ts";

/** One layer of the record: each field with the age of its value and where that comes from. Values run over, nothing is cut. */
export function layerBlock({ title, fields }: Layer, cluster: ClusterDetail, asOf: string, paint: Paint): string[] {
  const column = columnMaker(fields.map((field) => ({ field, origin: cluster.fields[field] })));
  const columns = [
    column("FIELD", "left", ({ field }) => field),
    column("AGE", "right", ({ origin }) => ageText(origin, asOf)),
    column("FROM", "left", ({ origin }) => sourceText(origin)),
    column("VALUE", "left", ({ field }) => valueText(cluster.record[field])),
  ];
  return [paint("bold", title), ...layTable(columns, undefined, 2, paint).map((line) => `  ${line}`)];
}

function ageText(origin: FieldOrigin | undefined, asOf: string): string {
  if (origin === undefined || origin.observedAt === null) return UNKNOWN;
  return formatAge(ageSeconds(origin.observedAt, asOf));
}

const SOURCES: { readonly [S in FieldOrigin["source"]]: string } = {
  registry: "registry",
  agent: "agent",
  pull: "its API",
  hub: "hub",
};

/** `agent: nodes, version (stale)`. */
function sourceText(origin: FieldOrigin | undefined): string {
  if (origin === undefined) return UNKNOWN;
  const { source, resources, state } = origin;
  const of = resources.length === 0 ? "" : `: ${resources.join(", ")}`;
  return `${SOURCES[source]}${of}${state === "stale" || state === "unreadable" ? ` (${state})` : ""}`;
}
