/**
 * Steady load of every kind on one real process, with one disturbance per minute: providers that reset, hang or send
 * half a response, clients that disconnect, a webhook receiver that is down.
 *   npm run lab -- soak [--minutes N] [--rate N] [--seed N]
 * Exits with 1 if a response was not as expected, a count is off, or memory or open files grow.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadMasterKey } from '../../apps/cloud/src/config/master-key.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import { seedProject } from '../../test/support/crash/seed-project.ts';
import { type GatewayProcess, runCli, startGatewayProcess } from '../../test/support/gateway-process.ts';
import { startReceiver } from '../../test/support/receiver/receiver.ts';
import { readOptions } from '../options.ts';
import { TROUBLES, type Trouble } from './soak/kinds.ts';
import { createLoad, type Sent } from './soak/load.ts';
import { startSoakProvider } from './soak/provider.ts';
import { checkRecords, pendingDeliveries, type RecordCounts } from './soak/records.ts';
import { growthProblems, type Sample, type Trend, takeSample, trendsOf } from './soak/samples.ts';

export interface SoakPlan {
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  readonly seed: number;
}

const MINUTE_MS = 60_000;
const SAMPLE_MS = 2_000;
/** Disturbed part of each minute; the rest is quiet, so that the disturbance ends. */
const TROUBLED = 0.75;
/** Part of the time that is ignored while tables, caches and compiled code reach their size. */
const WARM_UP = 0.2;
/** Longer than the stand-in provider waits for CPU time on a busy machine. */
const UPSTREAM_TIMEOUT_MS = 10_000;
/** A failed delivery is retried after 30 seconds, 2 and 10 minutes. */
const DELIVERY_TIMEOUT_MS = 13 * MINUTE_MS;

/** Throws one sentence if the arguments are invalid. */
export function readPlan(args: readonly string[], nowMs: number): SoakPlan {
  const values = readOptions(
    {
      command: 'npm run lab -- soak',
      about:
        'Sends a steady mixed load, and reports wrong responses, wrong counts and growing memory or files.',
      options: {
        minutes: { type: 'string', value: 'N', default: '10', help: 'Duration' },
        rate: { type: 'string', value: 'N', default: '100', help: 'Requests per second' },
        seed: {
          type: 'string',
          value: 'N',
          default: String(nowMs % 1_000_000),
          help: 'Seed of the random choices',
        },
      },
    },
    args,
  );
  const [minutes, rate, seed] = [values.minutes, values.rate, values.seed].map(Number) as [
    number,
    number,
    number,
  ];
  if (!(minutes > 0 && rate > 0 && seed >= 0))
    throw new Error('--minutes, --rate and --seed must be numbers.');
  return { minutes, rate, seed };
}

export interface SoakResult {
  readonly sent: Sent;
  readonly trends: readonly Trend[];
  readonly records: RecordCounts;
  readonly problems: readonly string[];
}

export async function soak(
  plan: SoakPlan,
  note: (line: string) => void,
  troubles: readonly Trouble[] = TROUBLES,
): Promise<SoakResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'csg-soak-'));
  const [provider, endpoint] = [await startSoakProvider(), await startReceiver()];
  let gateway: GatewayProcess | null = null;
  try {
    const env = soakEnvironment(provider.url);
    const key = await seedData(dataDir, env, endpoint.url);
    gateway = await startGatewayProcess({ dataDir, env });
    const { address } = gateway;
    const load = createLoad({ address, key }, provider, plan.seed);
    const samples: Sample[] = [];
    const watching = setInterval(
      // A failed sample is ignored: the responses show that the service is down.
      () =>
        void takeSample(address).then(
          (sample) => samples.push(sample),
          () => {},
        ),
      SAMPLE_MS,
    );
    const turns = Math.max(troubles.length, Math.ceil(plan.minutes));
    const turnS = (plan.minutes * 60) / turns;
    for (let turn = 0; turn < turns; turn++) {
      const trouble = troubles[turn % troubles.length] as Trouble;
      note(`${turn + 1} of ${turns}: ${trouble.name}`);
      endpoint.answer((response) => response.writeHead(trouble.isEndpointDown ? 503 : 200).end());
      await load.run(TROUBLED * turnS, plan.rate, trouble);
      endpoint.answer((response) => response.writeHead(200).end());
      await load.run((1 - TROUBLED) * turnS, plan.rate, null);
    }
    clearInterval(watching);
    await deliveries(dataDir);
    const ended = await gateway.stop();
    const trends = trendsOf(samples.slice(Math.floor(WARM_UP * samples.length)));
    const books = checkRecords(dataDir, load, endpoint.received);
    const problems = [
      ...[...load.problems].map(([problem, count]) => `${problem} (${count} times)`),
      ...(ended.code === 0 ? [] : [`the service exited with ${ended.code}`]),
      ...growthProblems(trends),
      ...books.problems,
      ...(await chainProblems(dataDir)),
    ];
    return { sent: load, trends, records: books, problems };
  } finally {
    gateway?.child.kill('SIGKILL');
    await Promise.all([provider.close(), endpoint.close()]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Passes on the caller's OpenTelemetry settings, to test it under load. */
function soakEnvironment(providerUrl: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PROVIDER_OPENAI_URL: providerUrl,
    PROVIDER_ANTHROPIC_URL: providerUrl,
    UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
    WEBHOOK_ALLOW_PRIVATE: 'on',
    // A busy machine must not cause rejections: test/e2e/load-shedding.test.ts tests those.
    LOAD_LIMIT_REQUESTS: '0',
    LOAD_LIMIT_BYTES: '0',
    LOG_LEVEL: 'fatal',
  };
}

/** Creates a plan without limits, a key, and the address of webhooks. */
async function seedData(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  webhookUrl: string,
): Promise<string> {
  const own = { ...env, GATEWAY_DATA_DIR: dataDir };
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, own);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as { readonly key: string };
  };
  const made = await command('keys', 'create', '--name', 'soak', '--json');
  await command('plan', 'set', '--plan', 'enterprise', '--per-minute', '100000000', '--json');
  const storage = await openStorage({
    dataDir,
    masterKey: loadMasterKey({ key: undefined, file: undefined, dataDir }),
    now: Date.now,
  });
  await seedProject(storage, webhookUrl);
  await storage.close();
  return made.key;
}

/** Waits for failed deliveries to be retried. */
async function deliveries(dataDir: string): Promise<void> {
  const endMs = performance.now() + DELIVERY_TIMEOUT_MS;
  while (pendingDeliveries(dataDir) > 0 && performance.now() < endMs) await pause(500);
}

async function chainProblems(dataDir: string): Promise<string[]> {
  const { code, stdout } = await runCli(['audit', 'verify'], { GATEWAY_DATA_DIR: dataDir });
  return code === 0 ? [] : [`the audit chain: ${stdout.trim()}`];
}

export function tableOf({ sent, trends, records: books, problems }: SoakResult): string {
  const row = (name: string, ...cells: readonly (string | number)[]): string =>
    `${name.padEnd(22)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
  const total = [...sent.sent.values()].reduce((sum, count) => sum + count, 0);
  return [
    row('requests', 'sent'),
    ...[...sent.sent].map(([kind, count]) => row(kind.name, count)),
    row('total', total),
    '',
    row('after the warm-up', 'first third', 'last third', 'ratio', 'maximum'),
    ...trends.map(({ field, first, last, highest }) =>
      row(field, first.toFixed(1), last.toFixed(1), (last / first).toFixed(3), highest.toFixed(1)),
    ),
    '',
    `${books.events} events, ${books.auditRows} audit rows, ${books.counted} requests counted, ${books.deliveries} deliveries`,
    problems.length === 0 ? 'no problems' : problems.join('\n'),
    '',
  ].join('\n');
}

if (import.meta.main) {
  try {
    const plan = readPlan(process.argv.slice(2), Date.now());
    const note = (line: string): void => void process.stderr.write(`  ${line}\n`);
    note(`seed ${plan.seed}`);
    const result = await soak(plan, note);
    process.stdout.write(tableOf(result));
    process.exitCode = result.problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
