import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** Sums over the objects of one simulated cluster, made without any code of the product. */
interface SimulatedSums {
  readonly version: string;
  readonly nodes: number;
  readonly pods: number;
  /** Of all nodes: whole cores and GiB, floored at the end. */
  readonly cores: number;
  readonly memoryGib: number;
  /** What its nodes cost an hour by the default prices, none of them being spot. */
  readonly onDemandPrice: number;
}

interface Node {
  readonly status: { readonly capacity: Readonly<Record<string, string>> };
}

/** One simulated cluster as its API shows it. */
interface SimulatedApi {
  readonly name: string;
  readonly server: string;
  sums(): Promise<SimulatedSums>;
}

/** Reads the clusters of a kubeconfig that the demo wrote. */
export function simulatedClusters(path: string): readonly SimulatedApi[] {
  const { clusters, users } = parse(readFileSync(path, "utf8"));
  return clusters.map(({ name, cluster }: { name: string; cluster: { server: string } }) => {
    const { token } = users.find((user: { name: string }) => user.name === name).user;
    const get = async (suffix: string) => {
      const answer = await fetch(cluster.server + suffix, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${name} ${suffix}: ${answer.status}`);
      return answer.json();
    };
    return { name, server: cluster.server, sums: () => sumUp(get) };
  });
}

async function sumUp(get: (path: string) => Promise<unknown>): Promise<SimulatedSums> {
  const { gitVersion } = (await get("/version")) as { gitVersion: string };
  const nodes = ((await get("/api/v1/nodes")) as { items: Node[] }).items;
  const pods = ((await get("/api/v1/pods")) as { items: unknown[] }).items;
  const sum = (of: (node: Node) => number) => nodes.reduce((total, node) => total + of(node), 0);
  const cores = ({ status }: Node) => amount(status.capacity.cpu);
  const gib = ({ status }: Node) => amount(status.capacity.memory) / 1024 ** 3;
  const gpus = ({ status }: Node) => amount(status.capacity["nvidia.com/gpu"] ?? "0");
  return {
    version: gitVersion,
    nodes: nodes.length,
    pods: pods.length,
    cores: Math.floor(sum(cores)),
    memoryGib: Math.floor(sum(gib)),
    onDemandPrice: sum((node) => cores(node) * 0.031611 + gib(node) * 0.004237 + gpus(node) * 0.95),
  };
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  m: 0.001,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
};

function amount(text = ""): number {
  const [, digits, unit = ""] = /^(\d+)(\D*)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (digits === undefined || factor === undefined) throw new Error(`"${text}" is no amount that the simulator writes`);
  return Number(digits) * factor;
}
