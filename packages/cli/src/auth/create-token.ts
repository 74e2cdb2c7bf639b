import { ServiceTokenAnswer } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { CreateTokenOptions } from "./auth-command.ts";
import { grantText } from "./grant-text.ts";

/** Makes a token for a program and prints it. Gives the exit code. */
export async function createToken(name: string, options: CreateTokenOptions, context: CommandContext): Promise<number> {
  const { role: roles, selector = null, ttl: ttlSeconds } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const order = { name, grants: roles.map((role) => ({ role, selector })), ttlSeconds };
  return showAnswer<ServiceTokenAnswer>(
    {
      ask: () => hub.post("/api/v1/service-tokens", order, ServiceTokenAnswer),
      table: tokenText,
      partial: () => false,
    },
    options,
    context,
  );
}

/** What is for people stands in comments: the last line is the token, for a pipe into a secret store. */
function tokenText({ name, grants, expiresAt, token }: ServiceTokenAnswer): string {
  return [
    `# Token ${plainText(name)}: ${plainText(grants.map(grantText).join(", "))}, until ${formatInstant(expiresAt)}.`,
    "# It is shown this once. Use it as PLIMSOLL_TOKEN, or as authorization: Bearer TOKEN.",
    token,
    "",
  ].join("\n");
}
