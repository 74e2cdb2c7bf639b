import type { Finding, KubePersistentVolume, KubePersistentVolumeClaim, KubeResourceQuota } from "@plimsoll/contracts";
import { tryParseQuantity } from "../quantity/parse-quantity.ts";
import type { FindingInput } from "./finding-input.ts";
import { type Found, makeFindings } from "./make-finding.ts";

/** Used share of a quota from which it is a finding, percent. */
const QUOTA_LINE = 90n;

/** Quotas that are nearly full, volume claims that wait, volumes that nobody uses. */
export function namespaceFindings({ facts }: FindingInput): readonly Finding[] {
  const { resourcequotas, persistentvolumeclaims, persistentvolumes } = facts.objects;
  const quotas = resourcequotas.known ? resourcequotas.value : [];
  const claims = persistentvolumeclaims.known ? persistentvolumeclaims.value : [];
  const volumes = persistentvolumes.known ? persistentvolumes.value : [];
  return [
    ...makeFindings("quota_nearly_full", facts.name, quotas.flatMap(fullQuota)),
    ...makeFindings("volume_claim_pending", facts.name, claims.flatMap(pendingClaim)),
    ...makeFindings("volume_released", facts.name, volumes.flatMap(releasedVolume)),
  ];
}

/** The fullest resource of a quota, when it is over the line. A quota of 0 forbids, it does not fill up. */
function fullQuota({ metadata, status }: KubeResourceQuota): readonly Found[] {
  const rows = Object.entries(status?.hard ?? {}).flatMap(([resource, hardText]) => {
    const usedText = status?.used?.[resource] ?? "0";
    const [hard, used] = [tryParseQuantity(hardText), tryParseQuantity(usedText)];
    if (hard === undefined || used === undefined || hard <= 0n) return [];
    return [{ resource, hard: hardText, used: usedText, percent: (used * 100n) / hard }];
  });
  const [fullest] = rows.filter((row) => row.percent >= QUOTA_LINE).sort((a, b) => Number(b.percent - a.percent));
  if (!fullest) return [];
  const fields = { ...fullest, percent: String(fullest.percent) };
  return [{ object: `ResourceQuota/${metadata.namespace ?? "default"}/${metadata.name}`, fields }];
}

function pendingClaim({ metadata, spec, status }: KubePersistentVolumeClaim): readonly Found[] {
  if (status?.phase !== "Pending") return [];
  const object = `PersistentVolumeClaim/${metadata.namespace ?? "default"}/${metadata.name}`;
  return [{ object, fields: { class: spec?.storageClassName ?? "default" } }];
}

function releasedVolume({ metadata, spec, status }: KubePersistentVolume): readonly Found[] {
  if (status?.phase !== "Released") return [];
  const { namespace, name } = spec?.claimRef ?? {};
  const fields = { size: spec?.capacity?.storage ?? "size unknown", claim: `${namespace ?? "?"}/${name ?? "?"}` };
  return [{ object: `PersistentVolume/${metadata.name}`, fields }];
}
