import { fromAck, sealBatch } from "@plimsoll/contracts/wire";
import {
  type AgentClient,
  agentClient,
  type IngestTestStream,
} from "../../packages/hub/src/channel/testing/agent-client.ts";
import type { JoinedCluster } from "../../packages/hub/src/testing/test-hub.ts";
import { sampleRow } from "../hub/facts.ts";

/** An agent that delivers one batch after the other, each when the one before is acknowledged. */
export class GoodAgent {
  readonly #client: AgentClient;
  readonly #cluster: JoinedCluster;
  readonly #stream: IngestTestStream;
  readonly #ended: Promise<void>;
  #acknowledged = 0;
  #isStopped = false;

  static async start(cluster: JoinedCluster): Promise<GoodAgent> {
    const client = agentClient(cluster);
    const stream = client.deliver();
    stream.send(ingestHello(cluster));
    await stream.until("welcome");
    return new GoodAgent(client, cluster, stream);
  }

  private constructor(client: AgentClient, cluster: JoinedCluster, stream: IngestTestStream) {
    this.#client = client;
    this.#cluster = cluster;
    this.#stream = stream;
    this.#ended = this.#run();
  }

  /** Resolves when so many more batches are acknowledged; the test's time is its limit. */
  async delivers(more: number): Promise<void> {
    const goal = this.#acknowledged + more;
    while (this.#acknowledged < goal) {
      if (this.#isStopped) throw new Error("the good agent was ended");
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async stop(): Promise<number> {
    this.#isStopped = true;
    await this.#ended;
    this.#client.close();
    return this.#acknowledged;
  }

  async #run(): Promise<void> {
    const { clusterId, incarnation } = this.#cluster;
    for (let sequence = 1; !this.#isStopped; sequence += 1) {
      const at = Date.now();
      const rows = [sampleRow({ windowStartMs: Math.floor(at / 300_000) * 300_000, subject: `node-${sequence}` })];
      const facts = { sealedAtMs: at, agentClockMs: at, policyRevision: 1, replaces: null };
      const key = { clusterId, incarnation, spoolId: "spool-of-good", sequence };
      this.#stream.send({ case: "envelope", value: sealBatch(key, { kind: "sample", rows }, facts).bytes });
      const answer = await this.#stream.next();
      if (answer?.case !== "ack") throw new Error(`a good batch was answered by ${answer?.case ?? "the end"}`);
      if (fromAck(answer.value).contiguous !== sequence) throw new Error(`batch ${sequence} is not acknowledged`);
      this.#acknowledged = sequence;
    }
  }
}

/** The first message of a data stream. */
export function ingestHello(
  { clusterId, incarnation }: JoinedCluster,
  session: { readonly instance?: string; readonly sessionEpoch?: bigint } = {},
): Parameters<IngestTestStream["send"]>[0] {
  const { instance = "agent-0", sessionEpoch = 0n } = session;
  const hello = { clusterId, incarnation, agentVersion: "0.1.0", instance, sessionEpoch, relay: "", spools: [] };
  return { case: "hello", value: { $typeName: "plimsoll.v1.IngestHello", ...hello } };
}
