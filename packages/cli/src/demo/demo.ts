import { startHub } from "@plimsoll/hub";
import { startSimulator } from "@plimsoll/sim";
import { EXIT } from "../exit-code.ts";
import { builtPage } from "../hub/built-page.ts";
import type { CommandContext } from "../program.ts";
import { untilStopped } from "../until-stopped.ts";
import type { DemoOptions } from "./demo-command.ts";
import { makeDemoFolder } from "./demo-folder.ts";
import { demoHubDeps, demoHubSettings } from "./demo-hub.ts";
import { demoTexts } from "./demo-texts.ts";
import { refuseTakenPort } from "./refuse-taken-port.ts";
import { startAgents } from "./start-agents.ts";
import { untilComplete } from "./until-complete.ts";

/** Part of an hour that the simulated fleet has lived before it is looked at. */
const PAST_MS = 3_600_000;

/** Runs hub, simulated fleet and agents until it is stopped; leaves nothing behind. Gives the exit code. */
export async function demo(options: DemoOptions, context: CommandContext): Promise<number> {
  const { out, err } = context.terminal;
  const texts = demoTexts(options);
  const stopped = untilStopped(context);
  const parts = new AsyncDisposableStack();
  try {
    await refuseTakenPort(options.port);
    const pageDir = await builtPage(context);
    const folder = parts.adopt(makeDemoFolder(), async (made) => made.remove());
    const hub = parts.adopt(
      await startHub(demoHubSettings(options, folder, pageDir), demoHubDeps(context)),
      (running) => running.stop(),
    );
    const startAt = new Date(Date.now() - PAST_MS);
    const { clusters, seed } = options;
    const simulator = parts.adopt(await startSimulator({ clusters, seed, startAt }), (running) => running.stop());
    simulator.step();
    folder.writeKubeconfig(simulator.kubeconfig());
    parts.adopt(await startAgents(simulator.clusters, hub, folder, context), (agents) => agents.stop());
    out.write(texts.started(hub, folder));
    await Promise.race([
      untilComplete(hub, options.clusters, context).then((fleet) => out.write(texts.complete(fleet))),
      stopped,
    ]);
    await stopped;
  } catch (thrown) {
    // Stopped while it was starting: whatever could not be finished then is no error.
    if (!context.signal.aborted) throw thrown;
  } finally {
    await parts.disposeAsync();
  }
  err.write(texts.stopped());
  return EXIT.ok;
}
