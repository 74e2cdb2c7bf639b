import { Kubeconfig, parseKubeconfig } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";

/** A kubeconfig that a hub may use, with the context to use. */
export interface UsableKubeconfig {
  readonly kubeconfig: Kubeconfig;
  readonly context: string;
}

/** How errors name it: its text came by a request. */
const NAME = "kubeconfig";

/**
 * Reads a kubeconfig's text for a hub: the context that is named, else the one in use, else the only one. A hub runs no
 * plug-in and reads no file for it: what a stranger's text names on the hub's machine is not his to use. Throws
 * `kubeconfig_invalid`, `context_unknown`, `context_ambiguous`, `kubeconfig_plugin_refused`, `kubeconfig_file_refused`.
 */
export async function readKubeconfigText(text: string, wanted: string | undefined): Promise<UsableKubeconfig> {
  const kubeconfig = new Kubeconfig([NAME], await parseKubeconfig(text, NAME));
  const context = chooseContext(kubeconfig, wanted);
  refusePlugins(kubeconfig, context);
  refuseFiles(kubeconfig, context);
  return { kubeconfig, context: context.name };
}

type Context = Kubeconfig["contexts"][number];

function chooseContext({ contexts, currentContext }: Kubeconfig, wanted: string | undefined): Context {
  const known = contexts.map(({ name }) => name).join(", ");
  const name = wanted ?? currentContext ?? (contexts.length === 1 ? contexts[0]?.name : undefined);
  if (name === undefined) {
    if (contexts.length > 0) throw new PlimsollError("context_ambiguous", { known });
    throw new PlimsollError("kubeconfig_invalid", { path: NAME, reason: "it has no contexts" });
  }
  const context = contexts.find((each) => each.name === name);
  if (!context) throw new PlimsollError("context_unknown", { context: name.slice(0, 128), known });
  return context;
}

function refusePlugins(kubeconfig: Kubeconfig, { name, user }: Context): void {
  const entry = kubeconfig.userEntry(user);
  const means = entry?.exec ? `the plug-in ${entry.exec.command}` : entry?.authProvider && "an auth-provider";
  if (means) throw new PlimsollError("kubeconfig_plugin_refused", { context: name, means });
}

function refuseFiles(kubeconfig: Kubeconfig, { name, cluster, user }: Context): void {
  const [server, credentials] = [kubeconfig.clusterEntry(cluster), kubeconfig.userEntry(user)];
  const file =
    server?.certificateAuthorityFile ??
    credentials?.tokenFile ??
    credentials?.clientCertificateFile ??
    credentials?.clientKeyFile;
  if (file !== undefined) throw new PlimsollError("kubeconfig_file_refused", { context: name, file });
}
