import manifest from "../package.json" with { type: "json" };

/** Release of this agent, as it says it to the hub. */
export const AGENT_VERSION: string = manifest.version;
