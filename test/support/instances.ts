import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Dispatcher, request } from 'undici';
import { type FirstAccount, setUpService } from '../../apps/cloud/src/flows/set-up-service.ts';
import { SYSTEM_CLOCK } from '../../apps/cloud/src/gateway/configured-parts.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import type { Json } from './answers.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';

const MASTER_KEY = '5a'.repeat(32);
const CONNECTIONS = 32;

export interface InstanceAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Json;
  /** `error.code`; undefined if there is none. */
  readonly code: unknown;
}

/** Processes of the service on one PostgreSQL and one Redis. */
export interface Instances {
  readonly processes: readonly GatewayProcess[];
  /** The same database, opened as the service opens it. */
  readonly storage: Storage;
  readonly account: FirstAccount;
  address(n: number): string;
  /** Calls instance `n`, modulo their number. */
  call(n: number, method: string, path: string, options: CallOptions): Promise<InstanceAnswer>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly key: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startInstances(count: number, env: Record<string, string>): Promise<Instances> {
  const folder = await mkdtemp(join(tmpdir(), 'csg-instances-'));
  const start = (n: number) =>
    startGatewayProcess({
      // As on computers of their own: they share the database and the master key, but no folder.
      dataDir: join(folder, String(n)),
      env: { GATEWAY_MASTER_KEY: MASTER_KEY, LOG_LEVEL: 'warn', ...env },
    });
  const storage = await openStorage({
    dataDir: join(folder, 'test'),
    databaseUrl: env['DATABASE_URL']!,
    masterKey: Buffer.from(MASTER_KEY, 'hex'),
    now: Date.now,
  });
  const account = await setUpService({ storage, clock: SYSTEM_CLOCK, makeKey }, null);
  const processes = await Promise.all(Array.from({ length: count }, (_, n) => start(n)));
  const agent = new Agent({ connections: CONNECTIONS });
  const address = (n: number): string => processes[n % count]!.address;
  return {
    processes,
    storage,
    account,
    address,
    async call(n, method, path, { key, body, headers }) {
      const answer = await request(`${address(n)}${path}`, {
        method: method as Dispatcher.HttpMethod,
        dispatcher: agent,
        headers: {
          'x-api-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      const parsed = (text === '' ? {} : JSON.parse(text)) as Json;
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: parsed,
        code: (parsed['error'] as Json | undefined)?.['code'],
      };
    },
    async close() {
      await agent.close();
      await Promise.all(processes.map((one) => one.stop()));
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
