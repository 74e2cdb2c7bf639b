import type { KubeJson } from "../objects/kube-json.ts";
import type { ResourceKind } from "../records/resource-kinds.ts";
import type { Change, Entry, ObjectStore } from "../store/object-store.ts";
import type { SimulatorClock } from "../time/clock.ts";
import { statusObject, tooOld } from "./api-status.ts";
import { type ListOptions, revisionOf } from "./list-options.ts";
import type { ObjectForm } from "./object-form.ts";
import type { Matcher } from "./selectors.ts";

/** Where events go. */
export interface WatchSink {
  /** Sends one line. */
  send(line: string): void;
  /** Ends the stream as the API does, after whole events. */
  end(): void;
}

/** What a watch needs besides its options. */
export interface WatchContext {
  readonly store: ObjectStore;
  readonly kind: ResourceKind;
  readonly form: ObjectForm;
  readonly matches: Matcher;
  readonly clock: SimulatorClock;
  readonly bookmarkSeconds: number;
  /** How long the watch lives when it does not say. */
  readonly defaultTimeoutSeconds: number;
}

/** A bookmark comes this long before the end, so that the next watch starts where this one stopped. */
const LAST_BOOKMARK_SECONDS = 2;
const INITIAL_EVENTS_END = { "k8s.io/initial-events-end": "true" };

/** Starts a watch; the returned function stops it without a word. */
export function startWatch(context: WatchContext, options: ListOptions, sink: WatchSink): () => void {
  const send = (type: string, object: KubeJson) => sink.send(`${JSON.stringify({ type, object })}\n`);
  const asked = revisionOf(options) ?? 0;
  const fromNow = asked === 0 || options.initialEvents;
  const missed = fromNow ? [] : context.store.changesSince(context.kind.resource, asked);
  if (missed === undefined) {
    send("ERROR", statusObject(tooOld(asked, context.store.compacted)));
    sink.end();
    return () => undefined;
  }
  if (fromNow) sendPresent(context, options, send);
  for (const change of missed) sendChange(context, change, send);
  return followChanges(context, options, sink, send);
}

type Send = (type: string, object: KubeJson) => void;

function sendPresent({ store, kind, form, matches }: WatchContext, options: ListOptions, send: Send): void {
  for (const entry of store.list(kind.resource)) if (matches(entry.record)) send("ADDED", form.alone(entry));
  if (options.initialEvents && options.bookmarks) send("BOOKMARK", form.bookmark(store.revision, INITIAL_EVENTS_END));
}

function followChanges(context: WatchContext, options: ListOptions, sink: WatchSink, send: Send): () => void {
  const { store, kind, form, clock, bookmarkSeconds } = context;
  // A timeout of 0 means none of one's own.
  const timeoutSeconds = options.timeoutSeconds || context.defaultTimeoutSeconds;
  const cancels = new Set<() => void>();
  const stop = () => {
    unsubscribe();
    for (const cancel of cancels) cancel();
  };
  const later = (seconds: number, run: () => void) => {
    const cancel = clock.setTimer(seconds * 1000, () => {
      cancels.delete(cancel);
      run();
    });
    cancels.add(cancel);
  };
  const bookmark = () => send("BOOKMARK", form.bookmark(store.revision));
  const bookmarkAgain = () =>
    later(bookmarkSeconds, () => {
      bookmark();
      bookmarkAgain();
    });
  const unsubscribe = store.subscribe(kind.resource, (change) => sendChange(context, change, send));
  if (options.bookmarks) {
    bookmarkAgain();
    if (timeoutSeconds > LAST_BOOKMARK_SECONDS) later(timeoutSeconds - LAST_BOOKMARK_SECONDS, bookmark);
  }
  later(timeoutSeconds, () => {
    stop();
    sink.end();
  });
  return stop;
}

/** An object that comes into the selection is ADDED to it, one that leaves it is DELETED from it. */
function sendChange({ form, matches }: WatchContext, change: Change, send: Send): void {
  const { previous, record, revision } = change;
  const before = previous !== undefined && matches(previous.record);
  const after = change.type !== "DELETED" && matches(record);
  const entry: Entry = { record, revision };
  if (after) send(before ? "MODIFIED" : "ADDED", form.alone(entry));
  else if (before) send("DELETED", form.alone(previous === undefined ? entry : { ...previous, revision }));
}
