import type { BackupManifest } from "@plimsoll/hub";

/** What is in a backup, one line each. */
export function backupText({ takenAt, hubVersion, counts, files }: BackupManifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `  taken    ${takenAt} by hub ${hubVersion}`,
    `  holds    ${counts.clusters} clusters, ${counts.batches} batches, ${counts.pricedHours} priced hours`,
    `  facts    ${counts.rows} rows in ${counts.segments} files`,
    `  size     ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`,
    "",
  ].join("\n");
}
