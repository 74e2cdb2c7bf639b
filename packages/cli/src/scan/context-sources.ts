import { type CollectProgress, collectCluster, type Kubeconfig, openContext, readKubeconfig } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { formatCount } from "../format/quantity.ts";
import type { ClusterSource } from "./cluster-source.ts";

/** Which contexts of which kubeconfig; absent = every context of the one that kubectl would use. */
export interface ContextChoice {
  readonly kubeconfig?: string;
  readonly context?: readonly string[];
  /** What each context may take, milliseconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person is at the terminal, so a credential plug-in may ask; only ever true for a single context. */
  readonly interactive: boolean;
}

/** The contexts chosen, each once. Throws kubeconfig_missing, kubeconfig_invalid, context_unknown. */
export async function contextSources(choice: ContextChoice): Promise<ClusterSource[]> {
  const { env, kubeconfig: path } = choice;
  const kubeconfig = await readKubeconfig({ env, ...(path === undefined ? {} : { path }) });
  const names = [...new Set(choice.context ?? kubeconfig.contexts.map((context) => context.name))];
  const interactive = choice.interactive && names.length === 1;
  return names.map((name) => contextSource(kubeconfig, name, { ...choice, interactive }));
}

function contextSource(kubeconfig: Kubeconfig, name: string, choice: ContextChoice): ClusterSource {
  const context = kubeconfig.contexts.find((candidate) => candidate.name === name);
  if (context === undefined) {
    const known = kubeconfig.contexts.map((candidate) => candidate.name).join(", ");
    throw new PlimsollError("context_unknown", { context: name, known });
  }
  const { timeout: deadlineMs, env, interactive } = choice;
  return {
    name,
    endpoint: context.server ?? null,
    deadlineMs,
    async read(signal, step) {
      const connection = await openContext(kubeconfig, name, { env, interactive });
      try {
        const progress = ({ objects, resource }: CollectProgress) => step(`${formatCount(objects)} ${resource}`);
        return await collectCluster(connection, { name, deadlineMs, signal, progress });
      } finally {
        connection.close();
      }
    },
  };
}
