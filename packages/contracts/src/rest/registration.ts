import { z } from "zod";
import { Instant } from "./common.ts";

/** `POST /api/v1/join-tokens`: permission for one agent to register a cluster under this name. */
export const JoinTokenRequest = z.object({
  clusterName: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/, "lower-case letters, digits, - and ., at most 63"),
  /** At most 24 h. */
  ttlSeconds: z.number().int().min(60).max(86_400).default(3600),
  labels: z.record(z.string(), z.string()).default({}),
});
export const JoinTokenAnswer = z.object({
  token: z.string(),
  expiresAt: Instant,
  /** One command that starts an agent outside the cluster. */
  command: z.string(),
  /** Manifest (YAML) that runs an agent in the cluster. */
  manifest: z.string(),
});
export type JoinTokenAnswer = z.infer<typeof JoinTokenAnswer>;

/** `POST /api/v1/join`, authorised by the token alone: a certificate for the agent's key. */
export const JoinRequest = z.object({
  token: z.string(),
  /** PKCS#10, PEM. */
  csr: z.string().max(16_384),
  /** UID of namespace kube-system. */
  fingerprint: z.string().min(1).max(128),
  agentVersion: z.string().max(64),
});
export type JoinRequest = z.infer<typeof JoinRequest>;
export const JoinAnswer = z.object({
  clusterId: z.string(),
  clusterName: z.string(),
  incarnation: z.number().int(),
  /** PEM: the agent's certificate, and the CA bundle that the hub's own certificate is signed by. */
  certificate: z.string(),
  caBundle: z.string(),
  /** host:port of the gRPC streams. */
  controlAddress: z.string(),
  ingestAddress: z.string(),
  serverName: z.string(),
});
export type JoinAnswer = z.infer<typeof JoinAnswer>;

/** `POST /api/v1/clusters`: a cluster that the hub reads itself (pull). Credentials that need a plug-in are refused. */
export const AddClusterRequest = z.object({
  name: z.string().optional(),
  /** A kubeconfig's text with exactly one context in use. */
  kubeconfig: z.string().max(1_048_576),
  context: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
});
export type AddClusterRequest = z.infer<typeof AddClusterRequest>;
