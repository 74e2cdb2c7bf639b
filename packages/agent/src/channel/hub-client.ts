import { createSecureContext } from "node:tls";
import { Client, type ClientDuplexStream, credentials } from "@grpc/grpc-js";
import {
  type AgentMessage,
  CONTROL_SERVICE,
  type HubMessage,
  INGEST_SERVICE,
  type IngestAnswer,
  type IngestRequest,
  type StreamMethod,
} from "@plimsoll/contracts/wire";
import type { Identity } from "../join/identity.ts";

/** What an identity says of a connection. */
export type HubCredentials = Pick<Identity, "certificate" | "privateKey" | "caBundle" | "serverName">;

/** One attempt at one hub address: connects at the first call. `close` frees it; running calls are cancelled. */
interface HubClient {
  control(): ClientDuplexStream<AgentMessage, HubMessage>;
  deliver(): ClientDuplexStream<IngestRequest, IngestAnswer>;
  close(): void;
}

/** Opens a client to `host:port`. */
export type Dial = (address: string) => HubClient;

const KEEPALIVE = { "grpc.keepalive_time_ms": 30_000, "grpc.keepalive_timeout_ms": 10_000 };

/**
 * Dials with the agent's certificate, TLS 1.3 only. The hub must show a certificate of its CA for `serverName`, whatever the
 * address is.
 */
export function createDial({ certificate, privateKey, caBundle, serverName }: HubCredentials): Dial {
  const context = createSecureContext({ ca: caBundle, cert: certificate, key: privateKey, minVersion: "TLSv1.3" });
  const secure = credentials.createFromSecureContext(context);
  return (address) => {
    const client = new Client(address, secure, {
      ...KEEPALIVE,
      "grpc.ssl_target_name_override": serverName,
      "grpc.default_authority": serverName,
      // Back-off is the caller's: it makes a client for each attempt, of its own connection.
      "grpc.use_local_subchannel_pool": 1,
      "grpc.enable_retries": 0,
      "grpc.service_config_disable_resolution": 1,
    });
    const open = <Up, Down>(method: StreamMethod<Up, Down>): ClientDuplexStream<Up, Down> =>
      client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize);
    return {
      control: () => open(CONTROL_SERVICE.connect),
      deliver: () => open(INGEST_SERVICE.deliver),
      close: () => client.close(),
    };
  };
}
