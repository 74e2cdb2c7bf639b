import type { Clock, KubeConnection } from "@plimsoll/collect";
import { Pace } from "../channel/pace.ts";

/** Requests that may come at once after a pause. */
const BURST = 10;

/** The connection with at most so many requests a second, whoever makes them: a hub is a guest in its members' API. */
export function throttled(connection: KubeConnection, requestsPerSecond: number, clock: Clock): KubeConnection {
  const pace = new Pace(clock, requestsPerSecond, BURST);
  return {
    server: connection.server,
    context: connection.context,
    async getJson(path, options) {
      await pace.turn(options?.signal);
      return connection.getJson(path, options);
    },
    async getList(path, onItem, options) {
      await pace.turn(options?.signal);
      return connection.getList(path, onItem, options);
    },
    async getText(path, options) {
      await pace.turn(options?.signal);
      return connection.getText(path, options);
    },
    async streamLines(path, options) {
      await pace.turn(options?.signal);
      return connection.streamLines(path, options);
    },
    close: () => connection.close(),
  };
}
