import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Starts the Chromium on PATH (or `PLIMSOLL_CHROMIUM`) without a window and without calls of its own to the outside. */
export function launchChromium(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath: findChromium(), args: [...args, ...quiet] });
}

function findChromium(): string {
  const named = process.env.PLIMSOLL_CHROMIUM;
  if (named !== undefined) return named;
  const folders = (process.env.PATH ?? "").split(":");
  const found = ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  if (found === undefined)
    throw new Error("No chromium on PATH: install Debian's chromium, or name one by PLIMSOLL_CHROMIUM");
  return found;
}
