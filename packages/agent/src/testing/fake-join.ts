import http from "node:http";
import type { JoinAnswer } from "@plimsoll/contracts/rest";
import { SERVER_NAME } from "./fake-hub.ts";
import type { TestAuthority } from "./test-authority.ts";

/** A hub's REST port that lets everybody join; plain http on loopback. */
export interface FakeJoin {
  readonly url: string;
  /** How often somebody joined. */
  readonly joins: number;
  stop(): void;
}

/** Answers `POST /api/v1/join` with certificates of the authority and the streams' address. */
export async function startFakeJoin(authority: TestAuthority, address: () => string): Promise<FakeJoin> {
  let joins = 0;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { csr } = JSON.parse(Buffer.concat(chunks).toString());
    joins += 1;
    const answer: JoinAnswer = {
      clusterId: "c-1",
      clusterName: "sim",
      incarnation: 1,
      certificate: await authority.signRequest(csr, "c-1"),
      caBundle: authority.certificate,
      controlAddress: address(),
      ingestAddress: address(),
      serverName: SERVER_NAME,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    get joins() {
      return joins;
    },
    stop: () => server.close(),
  };
}
