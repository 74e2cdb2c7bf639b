/**
 * A hub as a process of its own: `node hub-process.ts FOLDER`. Says `{ url, adminToken }` when it runs; ends in good order
 * when its parent says anything or is gone, so that `--cpu-prof` writes its profile.
 */
import { startHub } from "@plimsoll/hub";

const [dataDir = ""] = process.argv.slice(2);
const hub = await startHub({ dataDir, port: 0, controlPort: 0 });
process.send?.({ url: hub.url, adminToken: hub.adminToken });
const stop = () => void hub.stop().then(() => process.exit());
process.once("message", stop);
process.once("disconnect", stop);
