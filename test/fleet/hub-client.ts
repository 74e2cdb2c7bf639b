import type { ClusterList, ClusterView, CostAnswer, JoinTokenAnswer } from "@plimsoll/contracts/rest";
import type { RunningHub } from "@plimsoll/hub";

/** REST calls of a test as the admin. Rejects with the problem's text. */
export interface HubClient {
  clusters(): Promise<readonly ClusterView[]>;
  cluster(name: string): Promise<ClusterView | undefined>;
  cost(query: string): Promise<CostAnswer>;
  joinToken(clusterName: string): Promise<JoinTokenAnswer>;
}

export function hubClient(hub: Pick<RunningHub, "url" | "adminToken">): HubClient {
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${hub.adminToken}`, "content-type": "application/json" };
    const answer = await fetch(`${hub.url}/api/v1/${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const clusters = async () => ((await ask("clusters?limit=1000")) as ClusterList).items;
  return {
    clusters,
    cluster: async (name) => (await clusters()).find((one) => one.name === name),
    cost: async (query) => (await ask(`cost?${query}`)) as CostAnswer,
    joinToken: async (clusterName) =>
      (await ask("join-tokens", { method: "POST", body: JSON.stringify({ clusterName }) })) as JoinTokenAnswer,
  };
}
