import { AuditCheckpoints } from "@plimsoll/contracts/rest";
import { EXIT } from "../exit-code.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import type { HubOptions } from "../rest/hub-options.ts";
import { hubTarget } from "../rest/hub-target.ts";

/** Signs the end of the audit log and prints all checkpoints as JSON. Gives the exit code. */
export async function auditCheckpoint(options: HubOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const { value } = await hub.post("/api/v1/audit/checkpoints", {}, AuditCheckpoints);
  context.terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.ok;
}
