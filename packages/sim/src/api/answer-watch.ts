import type { ServerResponse } from "node:http";
import { hashUnit } from "../random/hash.ts";
import type { ResourceKind } from "../records/resource-kinds.ts";
import { beginJson } from "./answer.ts";
import type { ListOptions } from "./list-options.ts";
import type { ObjectForm } from "./object-form.ts";
import type { Matcher } from "./selectors.ts";
import type { ServedCluster } from "./served-cluster.ts";
import { startWatch } from "./watch-stream.ts";

/** A watch that reads so slowly that this much waits for it is broken off, as a real API server does it. */
const MOST_BUFFERED_BYTES = 8 * 1024 * 1024;
const SHORTEST_DEFAULT_SECONDS = 1_800;

/** Answers a watch until its time is up, the client goes, or a fault strikes. */
export function answerWatch(
  cluster: ServedCluster,
  response: ServerResponse,
  request: { readonly kind: ResourceKind; readonly path: string; readonly options: ListOptions },
  form: ObjectForm,
  matches: Matcher,
): void {
  beginJson(response);
  response.flushHeaders();
  let silent = false;
  const send = (line: string) => {
    const fault = silent ? undefined : cluster.faults.take(["cut", "silence"], "watch", request.path);
    if (fault?.does === "silence") silent = true;
    if (silent) return;
    if (fault?.does === "cut") response.write(line.slice(0, Math.floor(line.length / 2)), () => response.destroy());
    else response.write(line);
    if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy();
  };
  const world = cluster.world();
  const { kind, options } = request;
  const context = {
    store: world.store,
    kind,
    form,
    matches,
    clock: cluster.clock,
    bookmarkSeconds: cluster.bookmarkSeconds,
    // Between half an hour and an hour, so that watches do not all end together.
    defaultTimeoutSeconds: SHORTEST_DEFAULT_SECONDS * (1 + hashUnit(world.store.revision, kind.resource.length)),
  };
  const stop = startWatch(context, options, { send, end: () => response.end() });
  const forget = cluster.registerWatch(() => response.destroy());
  response.on("close", () => {
    stop();
    forget();
  });
}
