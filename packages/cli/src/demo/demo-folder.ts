import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where a demo keeps everything while it runs. */
export interface DemoFolder {
  readonly path: string;
  readonly hubData: string;
  /** Kubeconfig of the simulated clusters. */
  readonly kubeconfig: string;
  agentState(cluster: string): string;
  writeKubeconfig(text: string): void;
  /** Removes it all. Happens at the end of the process at the latest, however it ends (but by SIGKILL). */
  remove(): void;
}

/** Makes a folder of its own in the machine's place for temporary files. */
export function makeDemoFolder(): DemoFolder {
  const path = mkdtempSync(join(tmpdir(), "plimsoll-demo-"));
  const hubData = join(path, "hub");
  const kubeconfig = join(path, "kubeconfig");
  mkdirSync(hubData);
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", remove);
  return {
    path,
    hubData,
    kubeconfig,
    agentState: (cluster) => join(path, "agents", cluster),
    writeKubeconfig: (text) => writeFileSync(kubeconfig, text, { mode: 0o600 }),
    remove: () => {
      process.off("exit", remove);
      remove();
    },
  };
}
