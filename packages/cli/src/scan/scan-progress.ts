import type { ReportedError } from "@plimsoll/contracts";
import { plainText } from "../format/plain-text.ts";
import { truncate } from "../format/text-width.ts";
import type { TextSink } from "../terminal.ts";

/** Hears how a scan goes on. Methods must not throw; `ended` is called once, after everything else. */
export interface ScanProgress {
  started(name: string): void;
  step(name: string, step: string): void;
  finished(name: string, error: ReportedError | undefined): void;
  ended(): void;
}

const SILENT: ScanProgress = { started() {}, step() {}, finished() {}, ended() {} };
const ERASE_LINE = "\r\u001b[2K";
const REDRAW_MS = 80;

/** Progress for whoever looks at `sink`: one line that is redrawn on a terminal, nothing at all elsewhere. */
export function scanProgress(
  sink: Omit<TextSink, "writeAll">,
  total: number,
  now: () => number = Date.now,
): ScanProgress {
  if (!sink.isTerminal) return SILENT;
  const reading = new Map<string, string>();
  let done = 0;
  let failed = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (force: boolean) => {
    if (!force && now() - drawnAt < REDRAW_MS) return;
    drawnAt = now();
    const line = plainText(progressLine(done, failed, total, reading));
    sink.write(`${ERASE_LINE}${truncate(line, (sink.columns ?? 80) - 1)}`);
  };
  return {
    started(name) {
      reading.set(name, "connecting");
      draw(true);
    },
    step(name, step) {
      reading.set(name, step);
      draw(false);
    },
    finished(name, error) {
      reading.delete(name);
      done += 1;
      if (error !== undefined) failed += 1;
      draw(true);
    },
    ended: () => sink.write(ERASE_LINE),
  };
}

function progressLine(done: number, failed: number, total: number, reading: ReadonlyMap<string, string>): string {
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const running = [...reading].map(([name, step]) => `${name}: ${step}`).join(" · ");
  return `Read ${done} of ${total} clusters${failures}${running === "" ? "" : ` · ${running}`}`;
}
