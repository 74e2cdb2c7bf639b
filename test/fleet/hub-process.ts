/**
 * A hub as a process that is killed: `node hub-process.ts SETTINGS`, settings as JSON. Says `{ url, adminToken }` when it
 * runs. `plimsoll hub` takes no beat and no policy: with a person's, a round of kills would take minutes.
 */
import { type HubSettings, startHub } from "@plimsoll/hub";

const settings = JSON.parse(process.argv[2] ?? "{}") as HubSettings;
const { url, adminToken } = await startHub(settings);
process.send?.({ url, adminToken });
