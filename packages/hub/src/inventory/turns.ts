/** Runs tasks of one key one after the other, in order of their coming; tasks of different keys do not wait. */
export type Turns = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Turns that nobody waits for yet. A task that fails does not stop the next one. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    const settled = mine.catch(() => undefined).finally(() => last.get(key) === settled && last.delete(key));
    last.set(key, settled);
    return mine;
  };
}
