import { PlimsollError } from "../errors.ts";

/** Minors that an agent may be behind its hub. */
export const MINORS_BEHIND = 2;

const VERSION = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+][-+.0-9A-Za-z]{1,64})?$/;

/**
 * The minor of the wire that hub and agent both speak: the agent's, as it is never the newer one. A hub accepts agents of
 * its own major and minor and of the two minors before; patches and pre-release suffixes do not count. Throws
 * `agent_too_old`, `agent_too_new` (hubs are upgraded first) or `agent_version_invalid`.
 */
export function negotiateVersion(hubVersion: string, agentVersion: string): number {
  const hub = parse(hubVersion);
  const agent = parse(agentVersion);
  if (agent.major > hub.major || (agent.major === hub.major && agent.minor > hub.minor)) {
    throw new PlimsollError("agent_too_new", { agent: agentVersion, hub: hubVersion });
  }
  const oldest = Math.max(0, hub.minor - MINORS_BEHIND);
  if (agent.major < hub.major || agent.minor < oldest) {
    throw new PlimsollError("agent_too_old", {
      agent: agentVersion,
      hub: hubVersion,
      oldest: `${hub.major}.${oldest}.0`,
    });
  }
  return agent.minor;
}

function parse(version: string): { readonly major: number; readonly minor: number } {
  const match = VERSION.exec(version);
  if (!match) throw new PlimsollError("agent_version_invalid", { version: version.slice(0, 80) });
  return { major: Number(match[1]), minor: Number(match[2]) };
}
