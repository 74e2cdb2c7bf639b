import { describe, expect, test } from "vitest";
import { Intake, type IntakeShare } from "./intake.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A stream that reads messages of one size as long as it is let, and gives back what it is told to. */
function greedy(share: IntakeShare, bytes: number) {
  const held: (() => void)[] = [];
  const read = (): void => {
    held.push(share.received(bytes));
    share.whenRoom(read);
  };
  share.whenRoom(read);
  return { held, giveBack: () => held.shift()?.() };
}

describe("the intake", () => {
  test("lets one member have its own bound, and several shares of what is free, with one left for who comes", () => {
    const alone = new Intake({ bytes: 1_000, memberBytes: 100 });
    expect(greedy(alone.open("a"), 10).held).toHaveLength(10);
    const shared = new Intake({ bytes: 1_000, memberBytes: 1_000 });
    const members = ["a", "b", "c"].map((name) => greedy(shared.open(name), 1));
    expect(shared.heldBytes).toBeLessThan(1_000);
    expect(greedy(shared.open("newcomer"), 1).held.length).toBeGreaterThan(0);
    expect(members.every(({ held }) => held.length > 0)).toBe(true);
  });

  test("counts all streams of a cluster as one member", () => {
    const intake = new Intake({ bytes: 1_000, memberBytes: 100 });
    for (let stream = 0; stream < 5; stream += 1) greedy(intake.open("a"), 10);
    expect(intake.heldBytes).toBe(100);
  });

  test("is over its bound by one message of each stream at most", () => {
    const intake = new Intake({ bytes: 1_000, memberBytes: 1_000 });
    for (const name of ["a", "b", "c", "d", "e"]) greedy(intake.open(name), 400);
    expect(intake.heldBytes).toBeLessThanOrEqual(1_000 + 5 * 400);
  });

  test("reads on when something is dealt with, those that waited longest first", async () => {
    const intake = new Intake({ bytes: 100, memberBytes: 100 });
    const [a, b] = [greedy(intake.open("a"), 10), greedy(intake.open("b"), 10)];
    expect(intake.waitingStreams).toBe(2);
    const before = a.held.length + b.held.length;
    b.giveBack();
    expect(a.held.length + b.held.length).toBe(before - 1);
    await turn();
    expect(a.held.length + b.held.length).toBe(before);
  });

  test("gets everything back when a stream is over, once, and reads from it no more", async () => {
    const intake = new Intake({ bytes: 100, memberBytes: 50 });
    const share = intake.open("a");
    const { held, giveBack } = greedy(share, 10);
    giveBack();
    share.close();
    share.close();
    for (const release of held) release();
    await turn();
    expect([intake.heldBytes, intake.waitingStreams, held.length]).toEqual([0, 0, 4]);
    const other = greedy(intake.open("a"), 10);
    expect(other.held).toHaveLength(5);
  });

  test("takes a message given back twice once", () => {
    const intake = new Intake({ bytes: 100, memberBytes: 50 });
    const share = intake.open("a");
    const release = share.received(30);
    share.received(5);
    release();
    release();
    expect(intake.heldBytes).toBe(5);
  });
});
