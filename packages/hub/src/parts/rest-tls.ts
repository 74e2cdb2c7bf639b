import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import type { HubConfig } from "../config/hub-config.ts";
import type { HubAuthority } from "../registration/hub-authority.ts";
import { isLoopback, serverNames } from "./addresses.ts";

/** How the REST port proves who it is. */
export interface RestCertificate {
  /** PEM, chain included. */
  readonly pair: { readonly cert: string; readonly key: string };
  /** Where the CA's certificate is for programs on this machine; null = not this hub's CA. */
  readonly caFile: string | null;
}

const CA_FILE = "ca.crt";

/** The certificate of the REST port; null = plain HTTP. With the hub's own CA the chain shows it, so that agents can pin it. */
export async function openRestTls(
  config: HubConfig,
  authority: HubAuthority,
  nowMs: number,
): Promise<RestCertificate | null> {
  const { tls, host, dataDir } = config;
  if (tls === "off" || (tls === "auto" && isLoopback(host))) return null;
  if (typeof tls === "object") {
    return { pair: { cert: await read(tls.certificateFile), key: await read(tls.keyFile) }, caFile: null };
  }
  const { certificate, key } = await authority.issueServer(serverNames(config), nowMs);
  const caFile = join(dataDir, CA_FILE);
  await writeFile(caFile, authority.certificate);
  return { pair: { cert: `${certificate}\n${authority.certificate}`, key }, caFile };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlimsollError("hub_config_invalid", { reasons: `${file} cannot be read: ${reason}` }, { cause });
  }
}
