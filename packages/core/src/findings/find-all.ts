import { type Finding, SEVERITIES } from "@plimsoll/contracts";
import { capacityFindings } from "./capacity-findings.ts";
import type { FindingInput } from "./finding-input.ts";
import { labelFindings } from "./label-findings.ts";
import { namespaceFindings } from "./namespace-findings.ts";
import { nodeFindings } from "./node-findings.ts";
import { podFindings } from "./pod-findings.ts";
import { versionFindings } from "./version-findings.ts";

const CHECKS: readonly ((input: FindingInput) => readonly Finding[])[] = [
  nodeFindings,
  capacityFindings,
  podFindings,
  versionFindings,
  namespaceFindings,
  labelFindings,
];

/** Every finding in a cluster, the gravest first, then by code and object. */
export function findAll(input: FindingInput): readonly Finding[] {
  return sortFindings(CHECKS.flatMap((check) => check(input)));
}

/** The gravest first, then by code, object and message: the same findings always stand in the same order. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const key = ({ severity, code, object, message }: Finding): string =>
    [SEVERITIES.length - SEVERITIES.indexOf(severity), code, object, message].join("\u0000");
  return findings
    .map((finding) => ({ finding, key: key(finding) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ finding }) => finding);
}
