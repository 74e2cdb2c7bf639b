import { findSpool, type RepairStep, repairSpool } from "@plimsoll/agent/spool";
import { EXIT } from "../exit-code.ts";
import { formatCount } from "../format/quantity.ts";
import type { CommandContext } from "../program.ts";
import { readOrRefuse } from "./read-or-refuse.ts";
import type { SpoolShowOptions } from "./spool-command.ts";

/** Repairs a spool, or says what there is to repair. Gives the exit code: 3 when there is something and nothing was done. */
export async function repair(
  path: string,
  { format, dryRun = false }: SpoolShowOptions,
  { terminal: { out } }: CommandContext,
): Promise<number> {
  const steps = await readOrRefuse(path, async () => repairSpool(await findSpool(path), { dryRun }));
  out.write(format === "json" ? `${JSON.stringify({ dryRun, steps }, null, 2)}\n` : stepsText(steps, dryRun));
  return dryRun && steps.length > 0 ? EXIT.findings : EXIT.ok;
}

function stepsText(steps: readonly RepairStep[], dryRun: boolean): string {
  if (steps.length === 0) return "Nothing is damaged.\n";
  const files = new Set(steps.map(({ segment }) => segment)).size;
  const sum = `${formatCount(files)} ${files === 1 ? "segment" : "segments"}`;
  const end = dryRun
    ? `Nothing was done to ${sum}: --dry-run.`
    : `${sum} repaired. The agent tells the hub what is lost.`;
  return `${[...steps.map(stepText), "", end].join("\n")}\n`;
}

function stepText({ kind, segment, action, offset, bytes, keptAs }: RepairStep): string {
  const where = `${kind}/${segment}`;
  if (action === "header") return `${where}: write its header anew; it counts as sent`;
  const what = `${formatCount(bytes)} damaged bytes from byte ${formatCount(offset)}`;
  return `${where}: ${action === "cut" ? "cut" : "take out"} ${what}, kept as quarantine/${keptAs ?? ""}`;
}
