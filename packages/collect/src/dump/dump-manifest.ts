import {
  ERROR_TABLE,
  type ErrorCode,
  type KubeResource,
  PlimsollError,
  type ReportedError,
  type UnusedInput,
  type Usage,
} from "@plimsoll/contracts";
import { isKubeResource } from "../kube/resources.ts";
import { isRawObject, listIn, objectIn, type RawObject, textIn } from "./content/raw-object.ts";

export const MANIFEST_KIND = "Dump";

/** What was read of one part of a cluster, or why not. */
export type ManifestReading =
  | { readonly file: string; readonly objects: number; readonly observedAt: string }
  | { readonly error: ReportedError };

/** `manifest.json` of a folder that `writeDump` made: when, by what, what is in it and what could not be read. */
export interface DumpManifest {
  readonly apiVersion: "plimsoll.dev/v1";
  readonly kind: typeof MANIFEST_KIND;
  /** The cluster, as whoever made the dump calls it; replaced when redacted. */
  readonly name: string;
  readonly asOf: string;
  readonly createdBy: string;
  readonly redacted: boolean;
  readonly resources: Readonly<Partial<Record<KubeResource, ManifestReading>>>;
  readonly version: ManifestReading;
  /** All that `/version` answered, oldest contact first. */
  readonly gitVersions: readonly string[];
  readonly usage: ManifestReading;
  readonly usageSource?: Usage["source"];
  /** Objects that could not be used, so that they are in no list and figures lack them. */
  readonly leftOut: readonly UnusedInput[];
}

/** An object that figures lack. */
export type LeftOutObject = UnusedInput & { readonly resource: KubeResource };

/** What the reader of a dump needs of a manifest. Fields that are missing or unusable are undefined. */
export interface ReadManifest {
  readonly asOf: string | undefined;
  readonly gitVersions: readonly string[];
  readonly usageSource: Usage["source"] | undefined;
  readonly leftOut: readonly LeftOutObject[];
  /** Resource, "version" or "usage". */
  reading(part: string): { readonly objects?: number; readonly observedAt?: string; readonly error?: ReportedError };
}

/** Is this a manifest that `writeDump` wrote? */
export function isManifest(raw: RawObject): boolean {
  return raw.kind === MANIFEST_KIND && raw.apiVersion === "plimsoll.dev/v1";
}

/** Reads a manifest leniently: a part that it does not tell of is judged by the files alone. */
export function readManifest(raw: RawObject): ReadManifest {
  const resources = objectIn(raw, "resources");
  return {
    asOf: textIn(raw, "asOf"),
    gitVersions: (listIn(raw, "gitVersions") ?? []).filter((version) => typeof version === "string"),
    usageSource: usageSource(textIn(raw, "usageSource")),
    leftOut: (listIn(raw, "leftOut") ?? []).flatMap(leftOutObject),
    reading: (part) => reading(objectIn(resources, part) ?? objectIn(raw, part)),
  };
}

function leftOutObject(raw: unknown): LeftOutObject[] {
  if (!isRawObject(raw)) return [];
  const resource = textIn(raw, "resource") ?? "";
  if (!isKubeResource(resource)) return [];
  const where = textIn(raw, "where") ?? resource;
  const reason = textIn(raw, "reason") ?? "it could not be used";
  return [{ where, code: textIn(raw, "code") ?? "object_unusable", reason, resource }];
}

function reading(raw: RawObject | undefined): ReturnType<ReadManifest["reading"]> {
  const objects = raw?.objects;
  return {
    ...(typeof objects === "number" ? { objects } : {}),
    observedAt: textIn(raw, "observedAt"),
    error: reportedError(raw?.error),
  };
}

function reportedError(raw: unknown): ReportedError | undefined {
  if (!isRawObject(raw)) return undefined;
  const code = textIn(raw, "code") ?? "";
  const message = textIn(raw, "message") ?? "";
  const remedy = textIn(raw, "remedy") ?? "";
  return isErrorCode(code) ? { code, message, remedy } : { code: "internal", message: `${code}: ${message}`, remedy };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

function usageSource(text: string | undefined): Usage["source"] | undefined {
  return text === "metrics.k8s.io" || text === "kubelet" || text === "prometheus" ? text : undefined;
}

/** The error of a part that the manifest promises and the folder does not hold whole. */
export function partMissing(path: string, what: string, promised: number, found: number): PlimsollError {
  const reason = `its manifest says ${promised} objects, ${found} are there`;
  return new PlimsollError("dump_incomplete", { path, what, reason });
}
