import { createPrivateKey, randomBytes, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { ClusterTokens } from "./cluster-types.ts";

/** Tokens of the control plane's own parts that do not run as admin. */
export interface ComponentTokens {
  readonly scheduler: string;
}

/** The issuer that the API server writes into, and expects in, service account tokens. */
export const TOKEN_ISSUER = "https://kubernetes.default.svc";

/** User names behind the tokens; objects.ts grants `withoutNodes` its rights. */
export const LIMITED_USER = "testbed:without-nodes";

/** Writes `tokens.csv` for --token-auth-file into `dir` and gives the tokens. Random per cluster. */
export function writeTokens(dir: string): ClusterTokens & ComponentTokens {
  const random = () => randomBytes(24).toString("base64url");
  const tokens = {
    admin: random(),
    withoutNodes: random(),
    withoutRights: random(),
    invalid: random(),
    expired: expiredToken(`${dir}/service-account.key`),
    scheduler: random(),
  };
  const rows = [
    [tokens.admin, "testbed:admin", "admin", '"system:masters"'],
    [tokens.withoutNodes, LIMITED_USER, "without-nodes"],
    [tokens.withoutRights, "testbed:without-rights", "without-rights"],
    [tokens.scheduler, "system:kube-scheduler", "kube-scheduler"],
  ];
  writeFileSync(`${dir}/tokens.csv`, `${rows.map((row) => row.join(",")).join("\n")}\n`, { mode: 0o600 });
  return tokens;
}

/** A token of service account kube-system/default, rightly signed, that ended an hour ago (RFC 7519, ES256). */
function expiredToken(keyFile: string): string {
  const hour = 3600;
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = {
    iss: TOKEN_ISSUER,
    aud: [TOKEN_ISSUER],
    sub: "system:serviceaccount:kube-system:default",
    iat: now - 2 * hour,
    nbf: now - 2 * hour,
    exp: now - hour,
    "kubernetes.io": { namespace: "kube-system", serviceaccount: { name: "default", uid: "none" } },
  };
  const signed = `${part({ alg: "ES256", typ: "JWT" })}.${part(payload)}`;
  const key = createPrivateKey(readFileSync(keyFile));
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}
