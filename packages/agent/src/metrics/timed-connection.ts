import type { KubeConnection } from "@plimsoll/collect";
import type { Durations } from "./durations.ts";

/** The same connection, with the times of its requests taken. */
export function timedConnection(connection: KubeConnection, times: Durations): KubeConnection {
  const timed = async <T>(request: "get" | "list" | "watch", ask: () => Promise<T>): Promise<T> => {
    const beganMs = performance.now();
    const took = (outcome: "done" | "failed") =>
      times.observe((performance.now() - beganMs) / 1_000, { request, outcome });
    try {
      const answer = await ask();
      took("done");
      return answer;
    } catch (error) {
      took("failed");
      throw error;
    }
  };
  return {
    server: connection.server,
    context: connection.context,
    getJson: (path, options) => timed("get", () => connection.getJson(path, options)),
    getText: (path, options) => timed("get", () => connection.getText(path, options)),
    getList: (path, onItem, options) => timed("list", () => connection.getList(path, onItem, options)),
    streamLines: (path, options) => timed("watch", () => connection.streamLines(path, options)),
    close: () => connection.close(),
  };
}
