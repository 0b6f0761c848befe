/**
 * `npm run bench [-- --quick] [-- --only small,large,history,stream,waiting,session,latency,engine,record,held,blocks,replicas,scale,desktop,flames] [-- --without …] [-- --no-write]`
 *
 * Measures the gateway against a bare pass-through and its peers on this machine: alternating, status codes checked,
 * medians of the rounds. Prints a table with bars, and writes docs/benchmarks/<profile>.json and, for the full profile,
 * charts. Speed does not decide the exit code: 1 means that a measurement was invalid, 2 that the arguments are
 * invalid.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { noPostgres } from '../../test/support/databases.ts';
import {
  type DesktopFigures,
  installHttpProxy,
  installMockttp,
  measureDesktop,
} from './bench/desktop-proxy.ts';
import { drawResults } from './bench/draw-results.ts';
import type { EngineFigures } from './bench/engine.ts';
import { loadAverage, machineFacts, versionFacts } from './bench/machine-facts.ts';
import { measureBlocks } from './bench/measure-blocks.ts';
import { measureFlames } from './bench/measure-flames.ts';
import { type GatewayFigures, measureGateways } from './bench/measure-gateways.ts';
import { measureReplicas, NO_REPLICAS } from './bench/measure-replicas.ts';
import { measureScale } from './bench/measure-scale.ts';
import { reportOf } from './bench/print-report.ts';
import { ALONE, type BenchPlan, NOT_QUICK, readPlan } from './bench/read-plan.ts';
import type { RecordCost } from './bench/record-cost.ts';
import type { Results } from './bench/results.ts';
import {
  bareEnvironment,
  OTHER_CORE,
  pin,
  pinned,
  startProcess,
  TARGET_CORE,
} from './bench/start-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BENCH = path.join(import.meta.dirname, 'bench');
const FOLDER = path.join(ROOT, 'docs/benchmarks');
const PEERS = path.join(ROOT, 'node_modules/.cache/bench-peers');
const run = promisify(execFile);

const PROFILES = {
  quick: {
    rounds: 3,
    seconds: 1,
    generations: 1,
    roundsEach: 6,
    roundSeconds: 0.5,
    warmUp: { requests: 40_000, mostSeconds: 2 },
    change: { requests: 3_000, mostSeconds: 2 },
    latencyRequests: 150,
    engineSeconds: 0.5,
    streams: 500,
  },
  full: {
    rounds: 5,
    seconds: 1,
    generations: 2,
    roundsEach: 12,
    roundSeconds: 0.5,
    warmUp: { requests: 40_000, mostSeconds: 8 },
    change: { requests: 3_000, mostSeconds: 4 },
    latencyRequests: 150,
    engineSeconds: 2,
    streams: 2_000,
  },
} as const;

/** Rounds to three decimal places: more would be noise. */
const inShort = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;

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

  const desktop = parts.includes('desktop') ? await measureDevice(settings.roundsEach, skipped) : null;

  let gateways: GatewayFigures = { throughput: {}, latency: null, heldStreams: null, stored: null };
  let blocks: Results['blocks'] = null;
  let replicas: Results['replicas'] = null;
  let scale: Results['scale'] = null;
  let flames: Record<string, string> = {};
  const provider = await startProcess({
    cores: OTHER_CORE,
    command: [process.execPath, path.join(BENCH, 'test-provider.ts')],
    ready: /listening on (\S+)/,
  });
  try {
    const providerUrl = provider.match[1]!;
    if (parts.includes('blocks')) {
      note('event-loop blocks');
      blocks = await measureBlocks(providerUrl, settings);
    }
    if (parts.includes('replicas') && NO_REPLICAS !== null) skipped['replicas'] = NO_REPLICAS;
    else if (parts.includes('replicas')) {
      note('two processes on PostgreSQL and Redis');
      replicas = await measureReplicas(providerUrl, settings);
    }
    if (parts.includes('scale') && noPostgres) skipped['scale'] = noPostgres;
    else if (parts.includes('scale')) {
      note('what one machine shows about many');
      scale = await measureScale(providerUrl, settings);
    }
    if (parts.includes('flames')) flames = await measureFlames(providerUrl, note);
    if (!parts.every((part) => ALONE.includes(part))) {
      const away = profile === 'full' ? [] : NOT_QUICK;
      const options = { providerUrl: providerUrl, peers: PEERS, parts, without: away };
      gateways = await measureGateways(options, settings, skipped, note);
    }
  } finally {
    await provider.stop();
  }
  const machine = { ...factsAtStart, load_average_at_end: loadAverage() };
  const facts = { takenAt: new Date().toISOString(), profile, machine, versions: versionFacts(PEERS) };
  const figures = { ...gateways, engine, record, blocks, replicas, scale, desktop };
  return { results: { ...facts, ...figures, skipped }, flames };
}

async function measureDevice(rounds: number, skipped: Record<string, string>): Promise<DesktopFigures> {
  note("the device's proxy");
  const peerIn = (name: string, install: (folder: string) => Promise<void>): Promise<string | null> => {
    const folder = path.join(PEERS, name);
    return install(folder).then(
      () => folder,
      (error: Error) => {
        skipped[name] = error.message;
        return null;
      },
    );
  };
  const mockttp = await peerIn('mockttp', installMockttp);
  const httpProxy = await peerIn('http-proxy-3', installHttpProxy);
  return measureDesktop({ mockttp, httpProxy }, { rounds, requests: 1_500, warmUp: 20_000 });
}

/** Runs a part in a separate process on the measured core, and parses the JSON object that it prints. */
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

/** Returns the last stored run of the same profile; null if there is none. */
function readBefore({ profile }: BenchPlan): Results | null {
  const file = path.join(FOLDER, `${profile}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null;
}

function writeFiles(
  { profile, write }: BenchPlan,
  results: Results,
  before: Results | null,
  flames: Record<string, string>,
): void {
  if (write === 'nothing') return;
  mkdirSync(FOLDER, { recursive: true });
  const files: Record<string, string> = {};
  for (const [name, picture] of Object.entries(flames)) files[`flames-${name}.svg`] = picture;
  if (write === 'all') {
    if (profile === 'full') Object.assign(files, drawResults(results));
    files[`${profile}.json`] = `${JSON.stringify(results, inShort, 2)}\n`;
    files[`${profile}.txt`] = reportOf(results, before).trimStart();
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(FOLDER, name), text);
  note(`Written to docs/benchmarks: ${Object.keys(files).join(', ')}`);
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
    const before = readBefore(plan);
    const { results, flames } = await measure(plan);
    process.stdout.write(reportOf(results, before));
    writeFiles(plan, results, before, flames);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
