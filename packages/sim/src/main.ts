import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { PlimsollError, reportError } from "@plimsoll/contracts";
import { SIMULATOR_COMMAND, type SimulatorOptions } from "./simulator/simulator-options.ts";
import { type Simulator, startSimulator } from "./simulator/start-simulator.ts";

const USAGE = `Usage: ${SIMULATOR_COMMAND} [options]
  --clusters N       how many clusters (20)
  --seed SEED        the same seed makes the same fleet (1)
  --pods N           pods of a cluster at the day's peak, about (150)
  --port N           port on 127.0.0.1 (18080; 0: any free one)
  --token TOKEN      one token for all; "" lets everybody read (each its own)
  --kubeconfig FILE  writes a kubeconfig with a context per cluster (simulated.kubeconfig)
  --no-churn         nothing comes or goes
  --healthy          no cluster is sick
`;

/** Runs a simulated fleet until SIGINT or SIGTERM. Prints address and kubeconfig; exit code 2 for bad options. */
export async function runSimulator(args: readonly string[]): Promise<void> {
  try {
    const { help, kubeconfig, options } = readArguments(args);
    if (help) {
      process.stdout.write(USAGE);
      return;
    }
    const simulator = await startSimulator(options);
    writeFileSync(kubeconfig, simulator.kubeconfig(), { mode: 0o600 });
    process.stdout.write(
      `Simulated clusters: ${simulator.clusters.length} at ${simulator.address} (none is real)\n` +
        `kubeconfig: ${kubeconfig}\n`,
    );
    stopOnSignal(simulator);
  } catch (error) {
    const { code, message, remedy } = reportError(error);
    process.stderr.write(`error ${code}: ${message}\n  → ${remedy}\n`);
    process.exitCode = 2;
  }
}

interface Arguments {
  readonly help: boolean;
  readonly kubeconfig: string;
  readonly options: SimulatorOptions;
}

function readArguments(args: readonly string[]): Arguments {
  const values = parse(args);
  const token = values.token === undefined ? {} : { token: values.token };
  return {
    help: values.help,
    kubeconfig: values.kubeconfig,
    options: {
      clusters: Number(values.clusters),
      seed: values.seed,
      podsPerCluster: Number(values.pods),
      port: Number(values.port),
      churn: !values["no-churn"],
      sickness: !values.healthy,
      ...token,
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", default: false },
        clusters: { type: "string", default: "20" },
        seed: { type: "string", default: "1" },
        pods: { type: "string", default: "150" },
        port: { type: "string", default: "18080" },
        token: { type: "string" },
        kubeconfig: { type: "string", default: "simulated.kubeconfig" },
        "no-churn": { type: "boolean", default: false },
        healthy: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const option = /'([^']+)'/.exec(message)?.[1] ?? message;
    const fields = { option, suggestion: "", command: SIMULATOR_COMMAND };
    throw new PlimsollError("option_unknown", fields, { cause: error });
  }
}

function stopOnSignal(simulator: Simulator): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.stop());
}
