import { readFile } from "node:fs/promises";
import { BlockList } from "node:net";
import { PlimsollError } from "@plimsoll/contracts";
import type { HubOptions } from "./hub-options.ts";
import { defaultDataDir, findLocalHub } from "./local-hub.ts";

/** Where a hub answers, and what it is asked with. */
export interface HubTarget {
  /** Without a slash at its end. */
  readonly url: string;
  /** Null: the hub will say that nobody asks. */
  readonly token: string | null;
  /** Certificates to trust beside those of the system; undefined = the system's alone. */
  readonly ca: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The hub of options, environment, or this machine, in that order. The token of the hub on this machine goes to no
 * other address than its own and that of its ingest process. Throws hub_not_named, hub_url_invalid and file_unreadable.
 */
export async function hubTarget(options: HubOptions, env: Environment): Promise<HubTarget> {
  const dataDir = defaultDataDir(env);
  const local = await findLocalHub(dataDir);
  const named = options.hub || env.PLIMSOLL_HUB;
  const text = named ?? local?.url;
  if (text === undefined) throw new PlimsollError("hub_not_named", { folder: dataDir });
  const url = checkAddress(text);
  const ingest = await findLocalHub(dataDir, "ingest");
  const here = [local, ingest].find((each) => each !== undefined && url === checkAddress(each.url));
  const caFile = options.hubCa || env.PLIMSOLL_HUB_CA || here?.caFile;
  return {
    url,
    token: options.adminToken || env.PLIMSOLL_TOKEN || here?.token || null,
    ca: caFile ? await readAuthority(caFile) : undefined,
  };
}

/** The address without slash at its end. A token is never sent over plain HTTP to another machine. */
function checkAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new PlimsollError("hub_url_invalid", { url: text, reason: "which is no http or https address" });
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new PlimsollError("hub_url_invalid", {
      url: url.origin,
      reason: "with more than scheme, host, port and path",
    });
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new PlimsollError("hub_url_invalid", {
      url: text,
      reason: "where a token would cross the network in clear text",
    });
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return address === "localhost" || LOOPBACK.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

async function readAuthority(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new PlimsollError("file_unreadable", { path, reason }, { cause });
  }
}
