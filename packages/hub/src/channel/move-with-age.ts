import { STREAM_BOUNDS } from "./stream-bounds.ts";
import type { StreamDeps } from "./stream-deps.ts";

/** Agents that are moved come back spread over this time, milliseconds. */
const COME_BACK_WITHIN_MS = 5_000;

/**
 * Asks a stream to connect anew once it is old: streams that live for ever gather on the hub that was up first. The age
 * differs by chance, so that those that came together do not go together. Gives what cancels it.
 */
export function moveWithAge(
  { clock, random }: Pick<StreamDeps, "clock" | "random">,
  move: (withinMs: number) => void,
): () => void {
  const ageMs = STREAM_BOUNDS.moveAtAgeMs * (0.75 + random() / 2);
  return clock.setTimer(ageMs, () => move(COME_BACK_WITHIN_MS));
}
