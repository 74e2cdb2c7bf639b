import { Agent, request } from "node:http";
import type { RemoteWriteVersion } from "./remote-write.ts";

const HEADERS: Readonly<Record<RemoteWriteVersion, Readonly<Record<string, string>>>> = {
  "1.0": { "content-type": "application/x-protobuf", "x-prometheus-remote-write-version": "0.1.0" },
  "2.0": {
    "content-type": "application/x-protobuf;proto=io.prometheus.write.v2.Request",
    "x-prometheus-remote-write-version": "2.0.0",
  },
};

/**
 * Sends each list of requests on a connection of its own, one request after the other, all lists at the same time. Resolves
 * when every request is answered. Throws at the first answer that is none of success..
 */
export async function sendAll(
  url: string,
  lists: readonly (readonly Uint8Array[])[],
  version: RemoteWriteVersion,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: lists.length });
  try {
    await Promise.all(
      lists.map(async (requests) => {
        for (const body of requests) await send(url, body, version, agent);
      }),
    );
  } finally {
    agent.destroy();
  }
}

function send(url: string, body: Uint8Array, version: RemoteWriteVersion, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS[version], "content-encoding": "snappy", "content-length": body.length };
    const sending = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new Error(`${url} answered ${statusCode}: ${text.slice(0, 300)}`));
      });
      response.on("error", reject);
    });
    sending.on("error", reject);
    sending.end(body);
  });
}
