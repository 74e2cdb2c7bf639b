/**
 * `npm run bench -- peers`: durable ingest, wire and disk of our hub beside VictoriaMetrics and Prometheus, on the same facts
 * in one run: 50 clusters × 200 nodes × 5 resources × 4 values × 10 ticks. A value is a number that is stored: a sample of a
 * series there, one of requested, minimum, average and maximum of a window here. Needs Linux; Go for the first run.
 * ROUNDS (3) and CLUSTERS (50) may be set; PROFILE=FOLDER writes a CPU profile of the hub. Fails only when it cannot measure.
 */
import { clusterFacts, TICKS, VALUES_PER_TICK } from "./peers/facts.ts";
import { peerPrograms } from "./peers/programs.ts";
import { type RemoteWriteVersion, remoteWriteRequests } from "./peers/remote-write.ts";
import { type HubRun, type Receiving, runHub } from "./peers/run-hub.ts";
import { type HourOfFacts, type PeerRun, runPeer } from "./peers/run-peer.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CLUSTERS = Number(process.env.CLUSTERS ?? 50);
const HOUR_MS = 3_600_000;
/** Inside every retention, and long settled: yesterday's hour. */
const START_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS;
const SAMPLES_PER_REQUEST = 10_000;
const VALUES = CLUSTERS * VALUES_PER_TICK * TICKS;

const hours = [hourOfFacts(START_MS), hourOfFacts(START_MS + HOUR_MS)] as const;
const programs = await peerPrograms();

const hubRuns: HubRun[] = [];
const tickRuns: HubRun[] = [];
const peerRuns = new Map<string, PeerRun[]>();
for (let round = 0; round < ROUNDS; round += 1) {
  // In turns, so that what else the machine does falls on all alike.
  const options = { clusters: CLUSTERS, startMs: START_MS };
  hubRuns.push(said("our hub", await runHub({ ...options, profileFolder: process.env.PROFILE })));
  tickRuns.push(said("our hub, one tick at a time", await runHub({ ...options, tickByTick: true })));
  for (const program of programs) {
    note(`${program.name} ${program.release}, 1.0`, await runPeer(program, hours, "1.0"));
    const knowsSecond = program.name === "prometheus" && Number.parseInt(program.release, 10) >= 3;
    if (knowsSecond) note(`${program.name} ${program.release}, 2.0`, await runPeer(program, hours, "2.0"));
  }
}

console.log(
  `${VALUES.toLocaleString("en")} values of ${CLUSTERS} clusters; medians of ${ROUNDS} rounds; Node ${process.version}\n`,
);
printIngest();
printWire();
printDisk();

function hourOfFacts(startMs: number): HourOfFacts {
  const facts = Array.from({ length: CLUSTERS }, (_, number) =>
    clusterFacts(`bench-${String(number).padStart(2, "0")}`, number, startMs),
  );
  const requests = (version: RemoteWriteVersion) =>
    facts.map((cluster) => remoteWriteRequests(cluster, SAMPLES_PER_REQUEST, version));
  return { facts, requests: { "1.0": requests("1.0"), "2.0": requests("2.0") } };
}

function note(title: string, run: PeerRun): void {
  peerRuns.set(title, [...(peerRuns.get(title) ?? []), said(title, run)]);
}

function said<R extends Receiving>(title: string, run: R): R {
  console.error(`${title}: ${run.cpuSeconds.toFixed(2)} CPU-s, the hour after ${run.nextHourCpuSeconds.toFixed(2)}`);
  return run;
}

function printIngest(): void {
  const ours = perCpuSecond(hubRuns, ({ cpuSeconds }) => cpuSeconds);
  const oursNext = perCpuSecond(hubRuns, ({ nextHourCpuSeconds }) => nextHourCpuSeconds);
  const line = (title: string, runs: readonly Receiving[], settled: number): readonly string[] => {
    const rate = perCpuSecond(runs, ({ cpuSeconds }) => cpuSeconds);
    const all = runs.map(({ cpuSeconds }) => cpuSeconds.toFixed(2)).join(" ");
    const wall = median(runs.map(({ wallSeconds }) => wallSeconds)).toFixed(1);
    const peak = median(runs.map(({ peakMebibytes }) => peakMebibytes)).toFixed(0);
    const next = perCpuSecond(runs, ({ nextHourCpuSeconds }) => nextHourCpuSeconds);
    const later = [whole(settled), times(ours / settled), whole(next), times(oursNext / next)];
    return [title, whole(rate), times(ours / rate), ...later, all, wall, peak];
  };
  table(
    [
      "receiver",
      "values per CPU-s",
      "ours is",
      "until all is in files",
      "ours is",
      "the hour after",
      "ours is",
      "CPU-s",
      "wall s",
      "peak MiB",
    ],
    [
      line("our hub (durable at the acknowledgement)", hubRuns, ours),
      line(
        "our hub, one tick of all clusters at a time",
        tickRuns,
        perCpuSecond(tickRuns, ({ cpuSeconds }) => cpuSeconds),
      ),
      ...[...peerRuns].map(([title, runs]) =>
        line(
          title,
          runs,
          perCpuSecond(runs, ({ settledCpuSeconds }) => settledCpuSeconds),
        ),
      ),
    ],
  );
  const compaction = median(hubRuns.map(({ compaction: { cpuSeconds } }) => cpuSeconds));
  const together = VALUES / (median(hubRuns.map(({ cpuSeconds }) => cpuSeconds)) + compaction);
  console.log(
    `our hub with the merge of its files (${compaction.toFixed(2)} CPU-s): ${whole(together)} values per CPU-s\n`,
  );
}

function printWire(): void {
  const bytes = (lists: readonly (readonly Uint8Array[])[]): number =>
    lists.flat().reduce((sum, request) => sum + request.length, 0) / VALUES;
  const ours = median(hubRuns.map(({ wireBytes }) => wireBytes)) / VALUES;
  const line = (title: string, each: number) => [title, each.toFixed(2), times(ours / each)];
  table(
    ["on the wire, after Snappy", "bytes per value", "ours is"],
    [
      line("our envelopes, one tick each", ours),
      line("remote write 1.0", bytes(hours[0].requests["1.0"])),
      line("remote write 2.0", bytes(hours[0].requests["2.0"])),
    ],
  );
}

function printDisk(): void {
  const each = (bytes: number) => (bytes / VALUES).toFixed(2);
  const ofHub = (bytes: (run: HubRun) => number) => each(median(hubRuns.map(bytes)));
  const files = (count: (run: HubRun) => number) => median(hubRuns.map(count));
  const rows = [...peerRuns].flatMap(([title, runs]) =>
    Object.keys(runs[0]?.diskBytes ?? {}).map((part) => [
      `${title}: ${part}`,
      each(median(runs.map(({ diskBytes }) => diskBytes[part] ?? 0))),
    ]),
  );
  table(
    ["on disk", "bytes per value"],
    [
      [`our hub, as written (${files(({ segments }) => segments)} files)`, ofHub(({ segmentBytes }) => segmentBytes)],
      [
        `our hub, merged (${files(({ compaction }) => compaction.segments)} files)`,
        ofHub(({ compaction }) => compaction.segmentBytes),
      ],
      ["our hub, everything else (ledger, registry)", ofHub(({ ledgerBytes }) => ledgerBytes)],
      ...rows,
    ],
  );
}

function perCpuSecond<R extends Receiving>(runs: readonly R[], seconds: (run: R) => number): number {
  return VALUES / median(runs.map(seconds));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [head, head.map(() => "---"), ...rows]) console.log(`| ${row.join(" | ")} |`);
  console.log("");
}
