/** Asks until `good` says yes; fails with what was seen last. For states that another process reaches in its own time. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  good: (answer: T) => boolean,
  deadlineMs = 60_000,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    if (Date.now() > end)
      throw new Error(`not ${what} after ${deadlineMs} ms: ${JSON.stringify(answer)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
