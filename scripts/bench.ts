/**
 * `npm run bench [-- --quick] [-- --only small,large,history,stream,waiting,latency,engine,record,held,blocks,replicas,scale,desktop,flames] [-- --without …] [-- --no-write]`
 *
 * Measures the gateway beside a bare pass-through and its peers on this machine: in turns, status codes checked,
 * medians of the rounds. Prints a table with the bars, and writes docs/benchmarks/<profile>.json and, of the full
 * profile, pictures.
 * Nothing here passes or fails by its speed; exit code 1 means that something could not be measured truly, 2 that the
 * arguments make no sense.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkAnswers } from '../test/bench/check-answers.ts';
import { type DesktopFigures, installMockttp, measureDesktop } from '../test/bench/desktop-proxy.ts';
import { drawResults } from '../test/bench/draw-results.ts';
import type { EngineFigures } from '../test/bench/engine.ts';
import { type HeldStreams, holdStreams } from '../test/bench/hold-streams.ts';
import { loadAverage, machineFacts, versionFacts } from '../test/bench/machine-facts.ts';
import { measureBlocks } from '../test/bench/measure-blocks.ts';
import { measureFlames } from '../test/bench/measure-flames.ts';
import { measureLatency } from '../test/bench/measure-latency.ts';
import { measureReplicas, NO_REPLICAS } from '../test/bench/measure-replicas.ts';
import { measureScale } from '../test/bench/measure-scale.ts';
import { measureThroughput, type Throughput } from '../test/bench/measure-throughput.ts';
import { HAS_NGINX } from '../test/bench/nginx.ts';
import { installPortkey } from '../test/bench/portkey.ts';
import { reportOf } from '../test/bench/print-report.ts';
import type { RecordCost } from '../test/bench/record-cost.ts';
import type { Results } from '../test/bench/results.ts';
import {
  bareEnvironment,
  OTHER_CORE,
  pin,
  pinned,
  startProcess,
  TARGET_CORE,
} from '../test/bench/start-process.ts';
import { readStoredBytes } from '../test/bench/stored-bytes.ts';
import {
  CLIENT_HEADERS,
  startBare,
  startNginxTarget,
  startOurs,
  startPortkeys,
  type Target,
  WITHOUT_SCAN,
} from '../test/bench/targets.ts';
import { WORKLOADS, type Workload } from '../test/bench/workloads.ts';
import { noPostgres } from '../test/support/databases.ts';
import { ALONE, type BenchPlan, FIELDS, NOT_QUICK, readPlan } from './bench/read-plan.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const BENCH = path.join(ROOT, 'test/bench');
const PEERS = path.join(ROOT, 'node_modules/.cache/bench-peers');
const run = promisify(execFile);

const PROFILES = {
  quick: {
    rounds: 3,
    seconds: 1,
    startSeconds: 2,
    warmUpSeconds: 2,
    latencyRequests: 300,
    engineSeconds: 0.5,
    streams: 500,
  },
  full: {
    rounds: 5,
    seconds: 2,
    // V8 goes on compiling for about so long in a process that is new.
    startSeconds: 10,
    warmUpSeconds: 5,
    latencyRequests: 1_000,
    engineSeconds: 3,
    streams: 2_000,
  },
} as const;

const note = (line: string): void => void process.stderr.write(`  ${line}\n`);

async function measure({ profile, parts, without }: BenchPlan): Promise<{
  readonly results: Results;
  readonly flames: Record<string, string>;
}> {
  const settings = PROFILES[profile];
  const skipped: Record<string, string> = Object.fromEntries(without.map((part) => [part, 'by --without']));
  const factsAtStart = machineFacts();
  pin();
  const engine = parts.includes('engine')
    ? await runPart<EngineFigures>('engine.ts', settings.engineSeconds)
    : null;
  const record = parts.includes('record')
    ? await runPart<RecordCost>('record-cost.ts', settings.engineSeconds)
    : null;

  const desktop = parts.includes('desktop') ? await measureDevice(settings.rounds, skipped) : null;

  const throughput: Record<string, Throughput[]> = {};
  let latency: Results['latency'] = null;
  let heldStreams: Results['heldStreams'] = null;
  let stored: Results['stored'] = null;
  let blocks: Results['blocks'] = null;
  let replicas: Results['replicas'] = null;
  let scale: Results['scale'] = null;
  let flames: Record<string, string> = {};
  const running: { stop(): Promise<void> }[] = [];
  try {
    const vendor = await startProcess({
      cores: OTHER_CORE,
      command: [process.execPath, path.join(BENCH, 'vendor.ts')],
      ready: /listening on (\S+)/,
    });
    running.push(vendor);
    const vendorUrl = vendor.match[1]!;
    if (parts.includes('blocks')) {
      note('event-loop blocks');
      blocks = await measureBlocks(vendorUrl, settings);
    }
    if (parts.includes('replicas') && NO_REPLICAS !== null) skipped['replicas'] = NO_REPLICAS;
    else if (parts.includes('replicas')) {
      note('two processes on PostgreSQL and Redis');
      replicas = await measureReplicas(vendorUrl, settings);
    }
    if (parts.includes('scale') && noPostgres) skipped['scale'] = noPostgres;
    else if (parts.includes('scale')) {
      note('what one machine tells of many');
      scale = await measureScale(vendorUrl, settings);
    }
    if (parts.includes('flames')) flames = await measureFlames(vendorUrl, note);
    const isAlone = parts.every((part) => ALONE.includes(part));
    const started = isAlone ? [] : await startTargets(vendorUrl, running, skipped);
    const targets = started.filter(({ name }) => profile === 'full' || !NOT_QUICK.includes(name));
    const workloads = Object.values<Workload>(WORKLOADS).filter(({ name }) => parts.includes(name));
    await checkAnswers(targets, workloads);
    // First, while the heaps are small: what a load leaves behind would hide what a stream takes.
    if (parts.includes('held')) {
      heldStreams = await measureHeldStreams(targets, settings.streams);
      if (heldStreams.length === 0) skipped['held'] = 'the memory of a process cannot be read here';
    }
    for (const [index, workload] of workloads.entries()) {
      const field = targets.filter(({ name }) => FIELDS[workload.name]?.includes(name));
      const warmUpSeconds = index === 0 ? settings.startSeconds : settings.warmUpSeconds;
      throughput[workload.name] = await measureThroughput(
        workload,
        field,
        { ...settings, warmUpSeconds },
        note,
      );
    }
    if (parts.includes('latency')) {
      const direct = { name: 'direct', url: `${vendorUrl}/v1/chat/completions`, headers: CLIENT_HEADERS };
      const options = { rounds: settings.rounds, requests: settings.latencyRequests };
      const field = targets.filter(({ name }) => FIELDS['small']?.includes(name));
      latency = await measureLatency(WORKLOADS.small.body, [direct, ...field], options, note);
    }
    const dataDir = targets.find((target) => target.name === 'ours')?.dataDir;
    if (workloads.length > 0 && dataDir) stored = readStoredBytes(dataDir);
  } finally {
    for (const part of running.reverse()) await part.stop();
  }
  const machine = { ...factsAtStart, load_average_at_end: loadAverage() };
  const facts = { takenAt: new Date().toISOString(), profile, machine, versions: versionFacts(PEERS) };
  const figures = {
    throughput,
    latency,
    engine,
    record,
    stored,
    heldStreams,
    blocks,
    replicas,
    scale,
    desktop,
  };
  return { results: { ...facts, ...figures, skipped }, flames };
}

/** Starts who can be started, ours in any case; says in `skipped` who cannot and why. */
async function startTargets(
  vendorUrl: string,
  running: { stop(): Promise<void> }[],
  skipped: Record<string, string>,
): Promise<Target[]> {
  const targets: Target[] = [];
  const add = (...started: Target[]): void => {
    targets.push(...started);
    running.push(...started);
  };
  note('starting the gateway and its peers');
  add(await startBare(vendorUrl));
  add(await startOurs(vendorUrl));
  add(await startOurs(vendorUrl, { name: 'ours, scan off', nodeOptions: WITHOUT_SCAN }));
  add(await startOurs(vendorUrl, { name: 'ours, as it comes', remembers: true }));
  try {
    await installPortkey(PEERS);
    add(...(await startPortkeys(PEERS, vendorUrl)));
  } catch (error) {
    skipped['portkey'] = (error as Error).message;
  }
  if (HAS_NGINX) add(await startNginxTarget(vendorUrl));
  else skipped['nginx'] = 'it is not installed here';
  return targets;
}

async function measureDevice(rounds: number, skipped: Record<string, string>): Promise<DesktopFigures> {
  note("the device's proxy");
  const folder = path.join(PEERS, 'mockttp');
  const peers = await installMockttp(folder).then(
    () => folder,
    (error: Error) => {
      skipped['mockttp'] = error.message;
      return null;
    },
  );
  return measureDesktop(peers, { rounds, requests: 4_000 });
}

async function measureHeldStreams(targets: readonly Target[], streams: number): Promise<HeldStreams[]> {
  const figures: HeldStreams[] = [];
  for (const target of targets.filter(({ name }) => FIELDS['waiting']?.includes(name))) {
    note(`held streams: ${target.name}`);
    const held = await holdStreams(target, streams);
    if (held !== null) figures.push(held);
  }
  return figures;
}

/** Runs a part in a process of its own on the measured core, and reads the JSON object that it prints. */
async function runPart<T>(file: string, seconds: number): Promise<T> {
  note(file.replace('.ts', ''));
  const [command = '', ...args] = pinned(TARGET_CORE, [
    process.execPath,
    path.join(BENCH, file),
    `${seconds}`,
  ]);
  const { stdout } = await run(command, args, { env: bareEnvironment() });
  return JSON.parse(stdout) as T;
}

function writeFiles({ profile, write }: BenchPlan, results: Results, flames: Record<string, string>): void {
  if (write === 'nothing') return;
  const folder = path.join(ROOT, 'docs/benchmarks');
  mkdirSync(folder, { recursive: true });
  const files: Record<string, string> = {};
  for (const [name, picture] of Object.entries(flames)) files[`flames-${name}.svg`] = picture;
  if (write === 'all') {
    if (profile === 'full') Object.assign(files, drawResults(results));
    files[`${profile}.json`] = `${JSON.stringify(results, null, 2)}\n`;
    files[`${profile}.txt`] = reportOf(results).trimStart();
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  note(`written to docs/benchmarks: ${Object.keys(files).join(', ')}`);
}

async function main(): Promise<void> {
  let plan: BenchPlan;
  try {
    plan = readPlan(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
    return;
  }
  try {
    const { results, flames } = await measure(plan);
    process.stdout.write(reportOf(results));
    writeFiles(plan, results, flames);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
