import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_OPTIONS } from '../../bootstrap/service-options.mjs';
import { startNginx } from './nginx.ts';
import { startPortkey } from './portkey.ts';
import { bareEnvironment, type StartedProcess, startProcess, TARGET_CORE } from './start-process.ts';

export type TargetName =
  | 'bare'
  | 'scan alone'
  | 'ours'
  | 'ours, scan off'
  | 'ours, as it comes'
  | 'portkey'
  | 'portkey, regex'
  | 'nginx';

export interface Target {
  readonly name: TargetName;
  readonly process: StartedProcess;
  /** Of chat completions. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Folder of the gateway's data; null for others. */
  readonly dataDir: string | null;
  stop(): Promise<void>;
}

/** Ours, with the operator's commands. */
export interface OwnTarget extends Target {
  /** What a command prints, as JSON. */
  command<T>(args: readonly string[]): Promise<T>;
}

export const CLIENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  authorization: 'Bearer sk-bench-0123456789abcdef',
};

const ROOT = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** One of the yardsticks, each a script of one file. */
export async function startYardstick(name: 'bare' | 'scan alone', providerUrl: string): Promise<Target> {
  const script = path.join(import.meta.dirname, `${name.replace(' ', '-')}.ts`);
  const started = await startProcess({
    cores: TARGET_CORE,
    command: [process.execPath, script, providerUrl],
    ready: /listening on (\S+)/,
  });
  return target(name, started, `${started.match[1]}/v1/chat/completions`, {});
}

export interface OursOptions {
  /** Default 'ours'. */
  readonly name?: TargetName;
  /** Default: one. */
  readonly cores?: string;
  /** What was found in a text is remembered, as the product does it; else every text is scanned, also one that came before. */
  readonly remembers?: boolean;
  /** Beside those that every run has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** The project that is started. Default: this one. */
  readonly root?: string;
}

export const WITHOUT_SCAN = ['--import', path.join(import.meta.dirname, 'without-scan.mjs')];

/** The real service with a database of its own, an Enterprise contract, and everything on. */
export async function startOurs(providerUrl: string, options: OursOptions = {}): Promise<OwnTarget> {
  const root = options.root ?? ROOT;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'csg-bench-'));
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    GATEWAY_DATA_DIR: dataDir,
    PROVIDER_OPENAI_URL: providerUrl,
    PROVIDER_ANTHROPIC_URL: providerUrl,
    UPSTREAM_CONNECTIONS: '4096',
    EDGE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...(options.remembers ? {} : { SCAN_MEMORY_BYTES: '0' }),
    ...options.env,
  };
  const started = await startProcess({
    cores: options.cores ?? TARGET_CORE,
    command: [
      process.execPath,
      ...SERVICE_OPTIONS,
      ...(options.nodeOptions ?? []),
      path.join(root, 'apps/cloud/src/main.ts'),
    ],
    env,
    ready: /running at (http:\S+)[\s\S]*?(svc_live_\S+)/,
  });
  const [, url, key = ''] = started.match;
  const cli = path.join(root, 'apps/cloud/src/cli.ts');
  const command = async (args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [cli, ...args], { env: bareEnvironment(env) })).stdout;
  await command(['plan', 'set', '--plan', 'enterprise', '--per-minute', '100000000']);
  const made = target(options.name ?? 'ours', started, `${url}/api/v1/chat/completions`, {
    'x-api-key': key,
  });
  return {
    ...made,
    dataDir,
    command: async (args) => JSON.parse(await command(args)),
    async stop() {
      await made.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Portkey's gateway, twice: as it comes, and with a regex guardrail on prompts and answers. One process. */
export async function startPortkeys(folder: string, providerUrl: string): Promise<Target[]> {
  const { started, url, plain, guarded } = await startPortkey(folder, providerUrl);
  return [
    target('portkey', started, url, plain),
    { ...target('portkey, regex', started, url, guarded), stop: async () => {} },
  ];
}

export async function startNginxTarget(providerUrl: string): Promise<Target> {
  const { started, url, stop } = await startNginx(providerUrl);
  return { ...target('nginx', started, url, {}), stop };
}

function target(
  name: TargetName,
  started: StartedProcess,
  url: string,
  headers: Readonly<Record<string, string>>,
): Target {
  return {
    name,
    process: started,
    url,
    headers: { ...CLIENT_HEADERS, ...headers },
    dataDir: null,
    stop: started.stop,
  };
}
