export type { Fault, FaultTarget, InjectedFault, RequestVerb } from "./faults/fault-box.ts";
export type { Sickness } from "./fleet/sickness.ts";
export type { GivenObject } from "./simulator/given-object.ts";
export type { SimulatedCluster } from "./simulator/simulated-cluster.ts";
export type { SimulatorOptions } from "./simulator/simulator-options.ts";
export { type Simulator, startSimulator } from "./simulator/start-simulator.ts";
export type { SimulatorClock } from "./time/clock.ts";
export type { Integral, NodeTruth, PodTruth, RequestStretch } from "./truth/pod-truth.ts";
