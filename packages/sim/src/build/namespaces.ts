import type { ClusterPlan } from "../fleet/fleet-plan.ts";
import { ODD_ENVIRONMENT_LABELS, type Team } from "../fleet/organisation.ts";
import type { Random } from "../random/random.ts";
import type { Labels } from "../records/pod-template.ts";
import { DAY, type Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";

/** Marks everything that could be mistaken for a real cluster. */
const SIMULATED_MARK: Labels = { "plimsoll.dev/simulated": "true" };

/** A namespace in which a team runs its services. */
export interface TeamNamespace {
  readonly name: string;
  readonly team: Team;
  /** Labels that its workloads inherit by habit. */
  readonly labels: Labels;
}

/** Creates the namespaces of the system and one for each team of the business unit; gives back the latter. */
export function createNamespaces(world: ClusterWorld, since: Seconds): readonly TeamNamespace[] {
  const add = (name: string, at: Seconds, labels: Labels = {}, annotations?: Labels) =>
    world.store.put({
      resource: "namespaces",
      namespace: "",
      name,
      uid: world.random.uuid(),
      createdAt: at,
      labels: { "kubernetes.io/metadata.name": name, ...labels },
      ...(annotations === undefined ? {} : { annotations }),
    });
  add("kube-system", since, SIMULATED_MARK, SIMULATED_MARK);
  for (const name of ["default", "kube-public", "kube-node-lease"]) add(name, since);
  for (const name of ["monitoring", "ingress-nginx"]) add(name, since + DAY, { "owner-team": "platform" });
  const namespaces = world.plan.businessUnit.teams.map((team) => teamNamespace(world.plan, world.random, team));
  for (const { name, labels } of namespaces) add(name, since + DAY * world.random.integer(2, 20), labels);
  return namespaces;
}

/** Who pays is written on most namespaces, in the agreed words on most of those. */
function teamNamespace(plan: ClusterPlan, random: Random, team: Team): TeamNamespace {
  const environment = random.chance(0.1) ? random.pick(ODD_ENVIRONMENT_LABELS) : plan.environment;
  const labels: Labels = {
    ...(random.chance(0.85) ? { "cost-center": team.costCenter } : {}),
    ...(random.chance(0.85) ? { env: environment } : {}),
    ...(random.chance(0.9) ? { "owner-team": team.name } : {}),
    ...(random.chance(0.5) ? { tenant: plan.businessUnit.tenant } : {}),
  };
  return { name: team.name, team, labels };
}
