import type { CloudProfile } from "../fleet/cloud-profile.ts";
import type { KubeJson } from "../objects/kube-json.ts";
import { presentObject } from "../objects/present-object.ts";
import { apiVersionOf, type ResourceKind } from "../records/resource-kinds.ts";
import type { Entry } from "../store/object-store.ts";
import { ApiFailure } from "./api-status.ts";

/** How objects are written for one request: whole, or their metadata only. */
export interface ObjectForm {
  readonly listKind: string;
  readonly listApiVersion: string;
  /** An item of a list. */
  item(entry: Entry): KubeJson;
  /** An object that stands alone (in a watch event, or as the whole answer). */
  alone(entry: Entry): KubeJson;
  /** A bookmark's object. */
  bookmark(revision: number, annotations?: Readonly<Record<string, string>>): KubeJson;
}

const METADATA_VERSION = "meta.k8s.io/v1";

/** The form that the Accept header asks for; 406 when it takes no JSON. */
export function formOf(accept: string | undefined, kind: ResourceKind, cloud: CloudProfile): ObjectForm {
  const wanted = (accept ?? "*/*").split(",").map((part) => part.trim());
  const json = wanted.filter((part) => /^(application\/json|application\/\*|\*\/\*)/.test(part));
  if (json.length === 0) throw new ApiFailure(406, "only the following media types are accepted: application/json");
  // The first that we can: tables are left to the client.
  const first = json.find((part) => !/as=Table/.test(part)) ?? "";
  if (first === "") throw new ApiFailure(406, "this API does not make tables; accept application/json too");
  return /as=PartialObjectMetadata/.test(first) ? metadataForm(cloud) : wholeForm(kind, cloud);
}

function wholeForm(kind: ResourceKind, cloud: CloudProfile): ObjectForm {
  const type = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  return {
    listKind: `${kind.kind}List`,
    listApiVersion: type.apiVersion,
    item: (entry) => presentObject(cloud, entry),
    alone: (entry) => ({ ...type, ...presentObject(cloud, entry) }),
    bookmark: (revision, annotations) => ({ ...type, metadata: bookmarkMetadata(revision, annotations) }),
  };
}

function metadataForm(cloud: CloudProfile): ObjectForm {
  const type = { kind: "PartialObjectMetadata", apiVersion: METADATA_VERSION };
  const item = (entry: Entry) => ({ ...type, metadata: presentObject(cloud, entry).metadata });
  return {
    listKind: "PartialObjectMetadataList",
    listApiVersion: METADATA_VERSION,
    item,
    alone: item,
    bookmark: (revision, annotations) => ({ ...type, metadata: bookmarkMetadata(revision, annotations) }),
  };
}

function bookmarkMetadata(revision: number, annotations: Readonly<Record<string, string>> | undefined): KubeJson {
  return { resourceVersion: String(revision), annotations };
}
