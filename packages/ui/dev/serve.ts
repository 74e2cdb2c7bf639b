/** `npm run fixture -w packages/ui [CLUSTERS] [PORT]`: the page's API without a hub, for `npm run dev -w packages/ui`. */
import { startFixtureServer } from "./fixture-server.ts";

const [clusters = "20", port = "8090"] = process.argv.slice(2);
const server = await startFixtureServer({ clusters: Number(clusters), port: Number(port), simulated: true });
console.log(`${clusters} invented clusters: ${server.signInLink}`);
console.log(`with npm run dev -w packages/ui: http://127.0.0.1:5173/#token=${server.token}`);
