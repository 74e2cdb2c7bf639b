import type { TestProject } from "vitest/node";
import { serveFleet } from "./fleet-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Unix socket of the server that `sharedFleet` asks. */
    testbedSocket: string;
  }
}

/** Vitest's global set-up of project "real": offers the shared fleet, stops it after the last test file. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveFleet();
  project.provide("testbedSocket", server.socketPath);
  return () => server.close();
}
