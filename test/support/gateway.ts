import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission } from '@csg/shared/contract';
import { pino } from 'pino';
import { parseConfig } from '../../apps/cloud/src/config/parse-config.ts';
import type { Clock, Timers } from '../../apps/cloud/src/flows/clock.ts';
import { type FirstAccount, setUpService } from '../../apps/cloud/src/flows/set-up-service.ts';
import { SYSTEM_CLOCK } from '../../apps/cloud/src/gateway/configured-parts.ts';
import { type Gateway, openGateway } from '../../apps/cloud/src/gateway/open-gateway.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { Key, KeyLimits } from '../../apps/cloud/src/storage/storage.ts';
import { createTestDatabase } from './databases.ts';
import { writeEmptyDatabase } from './empty-database.ts';
import { providerUrls } from './provider-urls.ts';

export interface TestGateway extends Gateway {
  readonly address: string;
  readonly account: FirstAccount;
  /** The unrestricted key of the first account's project. */
  readonly key: string;
  readonly dataDir: string;
  /** Lines of the structured log so far. */
  readonly logLines: readonly string[];
  addKey(options?: {
    name?: string;
    permissions?: Permission[];
    expiresAtMs?: number | null;
    projectId?: string | null;
    userId?: string | null;
    limits?: Partial<KeyLimits>;
  }): Promise<{ plain: string; record: Key }>;
  /** Enrolls a device and returns its credential. */
  addDevice(): Promise<string>;
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
}

export interface CallOptions {
  readonly key?: string | null;
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly bearer?: string;
}

export interface TestGatewayOptions {
  /** Environment on top of the tests' own defaults (no edge limit, no log, PORT=0). */
  readonly env?: Record<string, string>;
  readonly clock?: Clock & Partial<Timers>;
  readonly providerUrl?: string;
  /** The caller's folder; by default a new one is created and deleted. */
  readonly dataDir?: string;
  /** For long texts (over 24,000 characters) the engine cannot start. */
  readonly isEngineBroken?: boolean;
}

const BROKEN_SCAN_THREAD = new URL('./broken-scan-thread.ts', import.meta.url);

/** The whole service on a real socket, with a database of its own: SQLite, or PostgreSQL with CSG_TEST_ENGINE=postgres. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database =
    process.env['CSG_TEST_ENGINE'] === 'postgres' &&
    options.env?.['DATABASE_URL'] === undefined &&
    options.dataDir === undefined
      ? await createTestDatabase()
      : null;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'csg-test-')));
  if (options.dataDir === undefined) await writeEmptyDatabase(dataDir);
  const clock = options.clock ?? SYSTEM_CLOCK;
  const testProvider = options.providerUrl ?? 'http://127.0.0.1:9';
  const parsed = parseConfig({
    PORT: '0',
    GATEWAY_DATA_DIR: dataDir,
    EDGE_LIMIT_PER_MINUTE: '0',
    AUTH_FAILURE_LIMIT: '0',
    ...providerUrls(testProvider),
    DRAIN_MS: '2000',
    ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
    ...options.env,
  });
  if (!parsed.ok) throw new Error(`the test's configuration is not usable: ${parsed.problems.join('; ')}`);
  const logLines: string[] = [];
  const log = pino({ level: parsed.config.logLevel }, { write: (line: string) => void logLines.push(line) });
  const gateway = await openGateway(
    parsed.config,
    log,
    clock,
    options.isEngineBroken === true ? BROKEN_SCAN_THREAD : undefined,
  );
  const { storage } = gateway;
  const account = await setUpService({ storage, clock, makeKey }, null);
  const address = await gateway.listen();

  const addKey: TestGateway['addKey'] = async (input = {}) => {
    const plain = makeKey();
    const record = await storage.keys.insert({
      organizationId: account.organizationId,
      projectId: input.projectId === undefined ? account.projectId : input.projectId,
      userId: input.userId === undefined ? account.accountId : input.userId,
      deviceId: null,
      name: input.name ?? 'test',
      permissions: input.permissions ?? [],
      expiresAtMs: input.expiresAtMs ?? null,
      limits: { allowedModels: [], dailyTokenLimit: null, ...input.limits },
      key: plain,
    });
    return { plain, record };
  };
  const { plain: key } = await addKey();

  const call: TestGateway['call'] = (method, path, input = {}) => {
    const headers: Record<string, string> = { ...input.headers };
    const sent = input.key === undefined ? key : input.key;
    if (sent !== null) headers['x-api-key'] = sent;
    if (input.bearer !== undefined) headers['authorization'] = `Bearer ${input.bearer}`;
    const { body } = input;
    if (body !== undefined) headers['content-type'] ??= 'application/json';
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(`${address}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
    });
  };

  return {
    ...gateway,
    address,
    account,
    key,
    dataDir,
    logLines,
    addKey,
    call,
    async addDevice() {
      const { token } = await storage.enrollments.create(account.organizationId, {
        projectId: account.projectId,
        uses: 1,
      });
      const enrolled = await call('POST', '/api/v1/enroll', {
        key: null,
        body: { token, device_name: 'Laptop', platform: 'linux' },
      });
      return ((await enrolled.json()) as { api_key: string }).api_key;
    },
    async close() {
      await gateway.close();
      await database?.drop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
