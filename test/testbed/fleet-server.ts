import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "./api-client.ts";
import { type Fleet, type FleetInfo, fleetInfo, mixedFleet } from "./mixed-fleet.ts";

/** A server on a Unix socket that starts the mixed fleet when the first client asks, and gives all clients the same one. */
export interface FleetServer {
  readonly socketPath: string;
  /** Stops the fleet, also one that is still starting, and the server. */
  close(): Promise<void>;
}

/** Starts the server only; costs nothing until somebody asks. */
export async function serveFleet(): Promise<FleetServer> {
  const dir = mkdtempSync(join(tmpdir(), "testbed-fleet-"));
  const socketPath = join(dir, "fleet.sock");
  const abort = new AbortController();
  let fleet: Promise<Fleet> | undefined;
  const server = createServer((_, response) => {
    fleet ??= mixedFleet({ signal: abort.signal });
    fleet.then(
      (running) => answer(response, 200, fleetInfo(running)),
      (error: unknown) => answer(response, 500, { error: error instanceof Error ? error.message : String(error) }),
    );
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socketPath, resolve));
  return {
    socketPath,
    close: async () => {
      abort.abort(new Error("the run has ended"));
      const running = await fleet?.catch(() => undefined);
      await running?.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Asks the server for the fleet; waits as long as its start takes, builds included. */
export function fetchFleet(socketPath: string): Promise<FleetInfo> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: "/" }, (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        try {
          resolve(parseFleetInfo(Buffer.concat(chunks).toString("utf8")));
        } catch (error) {
          reject(error);
        }
      });
    });
    call.on("error", reject);
    call.end();
  });
}

/**
 * Reads a fleet that `fleetInfo` wrote as JSON.
 * @throws Error when it is something else, or the message of a fleet that could not start.
 */
export function parseFleetInfo(text: string): FleetInfo {
  const value: unknown = JSON.parse(text);
  if (isFleetInfo(value)) return value;
  throw new Error(isRecord(value) && typeof value.error === "string" ? value.error : "not a fleet of the testbed");
}

function isFleetInfo(value: unknown): value is FleetInfo {
  return isRecord(value) && typeof value.kubeconfig === "string" && Array.isArray(value.clusters);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
