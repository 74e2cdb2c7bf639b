import { once } from "node:events";
import { createServer } from "node:net";
import { PlimsollError } from "@plimsoll/contracts";
import { DEMO_HOST } from "./demo-hub.ts";

/** Says at once that somebody listens there, before anything is built for it. Throws `address_in_use`. */
export async function refuseTakenPort(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, DEMO_HOST);
  try {
    await once(server, "listening");
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")) return;
    throw new PlimsollError("address_in_use", { address: `${DEMO_HOST}:${port}` }, { cause });
  }
  server.close();
  await once(server, "close");
}
