import { createSecureContext } from "node:tls";
import { type ChannelCredentials, Client, type ClientDuplexStream, credentials } from "@grpc/grpc-js";
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

/** A connection to one hub address, opened by its first call. Whoever has it lets go of it once, when its call is over. */
interface HubClient {
  control(): ClientDuplexStream<AgentMessage, HubMessage>;
  deliver(): ClientDuplexStream<IngestRequest, IngestAnswer>;
  close(): void;
}

/** Connects to `host:port`; streams to the same address that live at the same time share one connection. */
export type Dial = (address: string) => HubClient;

const KEEPALIVE = { "grpc.keepalive_time_ms": 30_000, "grpc.keepalive_timeout_ms": 10_000 };

/**
 * Dials with the agent's certificate, TLS 1.3 only. The hub must show a certificate of its CA for `serverName`, whatever the
 * address is.
 */
export function createDial({ certificate, privateKey, caBundle, serverName }: HubCredentials): Dial {
  const context = createSecureContext({ ca: caBundle, cert: certificate, key: privateKey, minVersion: "TLSv1.3" });
  const secure = credentials.createFromSecureContext(context);
  const held = new Map<string, Held>();
  return (address) => {
    const connection = held.get(address) ?? { client: open(address, secure, serverName), users: 0 };
    connection.users += 1;
    held.set(address, connection);
    const call = <Up, Down>(method: StreamMethod<Up, Down>): ClientDuplexStream<Up, Down> =>
      connection.client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize);
    return {
      control: () => call(CONTROL_SERVICE.connect),
      deliver: () => call(INGEST_SERVICE.deliver),
      close: () => {
        connection.users -= 1;
        if (connection.users > 0) return;
        held.delete(address);
        connection.client.close();
      },
    };
  };
}

interface Held {
  readonly client: Client;
  users: number;
}

function open(address: string, secure: ChannelCredentials, serverName: string): Client {
  return new Client(address, secure, {
    ...KEEPALIVE,
    "grpc.ssl_target_name_override": serverName,
    "grpc.default_authority": serverName,
    // Back-off is the caller's: a connection that is lost ends all of its streams, and each attempt makes a new one.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_retries": 0,
    "grpc.service_config_disable_resolution": 1,
  });
}
