/** How much may be held. */
export interface IntakeBounds {
  /** Over all members. */
  readonly bytes: number;
  /** Of one member: a cluster. */
  readonly memberBytes: number;
}

/**
 * Bounds the bytes that are received and not yet dealt with, over all streams. A member may hold as much as is still free,
 * so n greedy ones get a share of 1/(n + 1) each and one share stays free for whoever comes: nobody is kept out by another.
 * Who has his share is not read from; the network holds his sender back, and nothing is refused or dropped.
 */
export class Intake {
  readonly #bounds: IntakeBounds;
  readonly #byMember = new Map<string, number>();
  /** Reads that wait for room, in the order of their turns. */
  readonly #waiting = new Map<IntakeShare, () => void>();
  #heldBytes = 0;
  #waking = false;

  constructor(bounds: IntakeBounds) {
    this.#bounds = bounds;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Streams that are not read from for now. */
  get waitingStreams(): number {
    return this.#waiting.size;
  }

  /** Share of the bound that is taken; may be above 1 by one message of each stream. */
  get pressure(): number {
    return this.#heldBytes / this.#bounds.bytes;
  }

  /** A stream's account. */
  open(member: string): IntakeShare {
    return new IntakeShare(
      (bytes) => this.#hold(member, bytes),
      (share, read) => this.#ask(share, member, read),
      (share) => this.#waiting.delete(share),
    );
  }

  #hold(member: string, bytes: number): void {
    this.#heldBytes += bytes;
    const held = (this.#byMember.get(member) ?? 0) + bytes;
    if (held > 0) this.#byMember.set(member, held);
    else this.#byMember.delete(member);
    if (bytes < 0) this.#wakeSoon();
  }

  #ask(share: IntakeShare, member: string, read: () => void): void {
    if (this.#mayRead(member)) read();
    else this.#waiting.set(share, () => this.#ask(share, member, read));
  }

  #mayRead(member: string): boolean {
    const held = this.#byMember.get(member) ?? 0;
    return held < Math.min(this.#bounds.memberBytes, this.#bounds.bytes - this.#heldBytes);
  }

  /** Once for all that is released in this turn. */
  #wakeSoon(): void {
    if (this.#waking || this.#waiting.size === 0) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      const asking = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const ask of asking) ask();
    });
  }
}

/** What one stream holds. */
export class IntakeShare {
  readonly #hold: (bytes: number) => void;
  readonly #ask: (share: IntakeShare, read: () => void) => void;
  readonly #forget: (share: IntakeShare) => void;
  #heldBytes = 0;
  #closed = false;

  constructor(
    hold: (bytes: number) => void,
    ask: (share: IntakeShare, read: () => void) => void,
    forget: (share: IntakeShare) => void,
  ) {
    this.#hold = hold;
    this.#ask = ask;
    this.#forget = forget;
  }

  /** Calls `read` when there is room for one more message: at once, later, or never once the share is closed. */
  whenRoom(read: () => void): void {
    const readIfOpen = (): void => {
      if (!this.#closed) read();
    };
    if (!this.#closed) this.#ask(this, readIfOpen);
  }

  /** A message was received. What it gives is to be called when it is dealt with; a second call changes nothing. */
  received(bytes: number): () => void {
    if (this.#closed) return () => {};
    this.#add(bytes);
    let held = true;
    return () => {
      if (held && !this.#closed) this.#add(-bytes);
      held = false;
    };
  }

  /** The stream is over and what it sent is dealt with, or will never be. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#forget(this);
    this.#hold(-this.#heldBytes);
  }

  #add(bytes: number): void {
    this.#heldBytes += bytes;
    this.#hold(bytes);
  }
}
