import type { WatchState } from "@plimsoll/collect";
import { type KubeNode, type KubePod, type KubeResource, reportError } from "@plimsoll/contracts";
import type { GapRow } from "@plimsoll/contracts/wire";
import {
  type ClusterLook,
  createSampleWindows,
  createUsageMeter,
  isCordonedNode,
  isReadyNode,
  lookAtCluster,
  type MeterCheckpoint,
  podAttribution,
  type UsageMeter,
} from "@plimsoll/core";
import type { AgentDeps } from "./agent.ts";
import { AGENT_VERSION } from "./agent-version.ts";
import type { HubClock } from "./channel/hub-clock.ts";
import type { Counters } from "./counters.ts";
import type { Identity } from "./join/identity.ts";
import type { AgentPolicy } from "./policy/agent-policy.ts";
import { changeSign, dynamicReportOf } from "./report/dynamic-report.ts";
import { createUsageGaps } from "./report/usage-gaps.ts";
import { createUsageReading } from "./report/usage-reading.ts";
import { writeCheckpoint } from "./rows/checkpoint-file.ts";
import type { FactSpooler } from "./rows/fact-spooler.ts";
import type { TickParts } from "./tick.ts";
import { createApiHealth } from "./watch/api-health.ts";
import { ClusterWatch } from "./watch/cluster-watch.ts";
import { createServerVersions } from "./watch/server-versions.ts";
import type { ResourceListener } from "./watch/watched-resource.ts";

/** What the parts are made of. */
export interface PartsNeeds extends AgentDeps {
  readonly identity: Identity;
  readonly hubClock: HubClock;
  readonly policy: () => AgentPolicy;
  readonly spooler: FactSpooler;
  readonly report: TickParts["report"];
  readonly checkpointPath: string;
  readonly resume: MeterCheckpoint | undefined;
  readonly counters: Counters;
  /** Something changed that is reported at once. */
  readonly onNews: () => void;
  /** A watch went on to another state. */
  readonly onState: () => void;
  readonly signal: AbortSignal;
}

/** The parts of a tick, wired; and what the agent's status asks of them. */
export interface AgentParts extends TickParts {
  readonly watch: ClusterWatch;
  /** The last look; null before the first. */
  lastLook(): ClusterLook | null;
  /** A policy came. */
  configure(policy: AgentPolicy): void;
}

/** A pods' silence longer than this is a gap of its own. */
const SILENCE_MS = 300_000;

/** Wires the parts by hand. */
export function createParts(needs: PartsNeeds): AgentParts {
  const { connection, hubClock, identity, clock, log, counters, spooler, signal } = needs;
  const now = (): number => hubClock.now();
  const usage = createUsageReading(connection, now);
  const usageGaps = createUsageGaps();
  const versions = createServerVersions(connection, now);
  const health = createApiHealth(connection, () => clock.now());
  const windows = createSampleWindows();
  const logState = createStateLog(needs);
  const gaps = createGapLog(now, needs.resume?.podsSeenMs ?? null);
  const meter: UsageMeter = createUsageMeter({
    mode: "push",
    attribute: (pod) => podAttribution(pod, watch.owners(), { namespaces: watch.namespaceLabels(), cluster: {} }),
    ...timingOf(needs.policy()),
    resume: needs.resume,
  });
  const watch = new ClusterWatch({
    ...needs,
    name: identity.clusterName,
    now,
    pods: podListener(meter, gaps),
    nodes: nodeListener(meter, needs.onNews),
    onState: (resource, state) => {
      logState(resource, state);
      needs.onState();
    },
  });
  let last: { readonly look: ClusterLook; readonly sign: string } | undefined;
  return {
    watch,
    readUsage: () => usage.read(signal),
    askServer: async () => {
      await Promise.all([versions.ask(signal), health.ask(signal)]);
    },
    look: () => lookAtCluster(watch.facts(versions.reading(), usage.reading()), AGENT_VERSION),
    takeSample(given) {
      const reading = usage.reading();
      const atMs = now();
      usageGaps.read(reading.known, atMs, timingOf(needs.policy()).usageHoldMs);
      if (reading.known) meter.observeUsage(reading.value, atMs);
      windows.observe(given.loads, atMs);
    },
    reportOf(given) {
      last = { look: given, sign: changeSign(given, health.unhealthy) };
      const states = [...watch.states(), versions.state(), usage.state()];
      return dynamicReportOf(given, { nowMs: now(), states, unhealthy: health.unhealthy });
    },
    report: needs.report,
    flushMeter() {
      const flush = meter.flush();
      for (const fault of flush.faults) log("warn", "object_not_metered", { ...reportError(fault) });
      counters.add("objects_not_metered", flush.faults.length);
      return flush;
    },
    checkpoint: () => meter.checkpoint(),
    async keep(checkpoint) {
      try {
        await writeCheckpoint(needs.checkpointPath, checkpoint);
      } catch (error) {
        counters.add("checkpoint_failures");
        log("error", "checkpoint_failed", { message: reportError(error).message });
      }
    },
    takeWindows: () => windows.take(now()),
    takeGaps: () => [...gaps.take(), ...usageGaps.take()],
    spool: (rows) => spooler.spool(rows),
    lastLook: () => last?.look ?? null,
    isNews: (given) => changeSign(given, health.unhealthy) !== last?.sign,
    configure: (policy) => meter.configure(timingOf(policy)),
  };
}

/** A reading holds until the next one, and half an interval longer. */
function timingOf({ usageResendMs, sampleIntervalMs }: AgentPolicy) {
  return { resendMs: usageResendMs, usageHoldMs: sampleIntervalMs * 2.5 };
}

interface GapLog {
  /** Pods are known up to `atMs`. */
  seen(atMs: number): void;
  take(): readonly GapRow[];
}

/** Times in which pods could not be seen: of an agent that was down since `beforeMs`, or of a watch that was lost. */
function createGapLog(now: () => number, beforeMs: number | null): GapLog {
  let seenMs = beforeMs;
  let reason = "agent_down";
  let gaps: GapRow[] = [];
  return {
    seen(atMs) {
      if (seenMs !== null && atMs - seenMs > SILENCE_MS) {
        gaps.push(silence(Math.round(seenMs), Math.round(atMs), reason, Math.round(now())));
      }
      reason = "watch_lost";
      seenMs = Math.max(seenMs ?? 0, atMs);
    },
    take() {
      const taken = gaps;
      gaps = [];
      return taken;
    },
  };
}

function silence(startMs: number, endMs: number, reason: string, nowMs: number): GapRow {
  return {
    startMs,
    endMs,
    asOfMs: Math.max(nowMs, endMs),
    reason,
    missing: null,
    subject: null,
    detail: reason === "agent_down" ? "The agent was not running" : "The agent could not watch pods",
    lostBatches: 0,
    lostRows: 0,
    lostBytes: 0,
    lostSequences: null,
  };
}

function podListener(meter: UsageMeter, gaps: GapLog): ResourceListener<KubePod> {
  return {
    all(pods, atMs) {
      gaps.seen(atMs);
      meter.observePods(pods, atMs);
    },
    seen(atMs) {
      gaps.seen(atMs);
      meter.podsSeen(atMs);
    },
    changed: (pod, atMs) => meter.observePod(pod, atMs),
    removed: (pod, atMs) => meter.removePod(pod, atMs),
  };
}

/** Tells the meter, and `onNews` when a node came, went, or changed in what is reported at once. */
function nodeListener(meter: UsageMeter, onNews: () => void): ResourceListener<KubeNode> {
  const signs = new Map<string, string>();
  const note = (node: KubeNode): void => {
    const sign = JSON.stringify([isReadyNode(node), isCordonedNode(node), node.status?.nodeInfo?.kubeletVersion]);
    if (signs.get(node.metadata.uid) === sign) return;
    signs.set(node.metadata.uid, sign);
    onNews();
  };
  return {
    all(nodes, atMs) {
      const present = [...nodes];
      signs.clear();
      present.forEach(note);
      meter.observeNodes(present, atMs);
    },
    seen: (atMs) => meter.nodesSeen(atMs),
    changed(node, atMs) {
      note(node);
      meter.observeNode(node, atMs);
    },
    removed(node, atMs) {
      signs.delete(node.metadata.uid);
      onNews();
      meter.removeNode(node, atMs);
    },
  };
}

/** One line when a watch begins to fail and when it works again; the rest is counted. */
function createStateLog({ log, counters }: PartsNeeds): (resource: KubeResource, state: WatchState) => void {
  const failing = new Map<KubeResource, string>();
  return (resource, state) => {
    counters.add(`watch_${state.kind}`);
    if (state.kind === "unusable") log("warn", "object_unusable", { resource, message: state.error.message });
    if (state.kind === "failing" && state.error.code !== "list_expired") {
      const { code, message } = state.error;
      if (failing.get(resource) !== code) log("warn", "watch_failing", { resource, code, message });
      failing.set(resource, code);
    }
    if (state.kind === "watching" && failing.delete(resource)) log("info", "watch_works", { resource });
  };
}
