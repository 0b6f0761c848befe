import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission } from '@csg/shared/contract';
import { pino } from 'pino';
import { parseConfig } from '../../apps/cloud/src/config/parse-config.ts';
import type { Clock, Timers } from '../../apps/cloud/src/flows/clock.ts';
import { insertProject } from '../../apps/cloud/src/flows/create-project.ts';
import { type FirstAccount, setUpService } from '../../apps/cloud/src/flows/set-up-service.ts';
import { SYSTEM_CLOCK } from '../../apps/cloud/src/gateway/configured-parts.ts';
import { type Gateway, openGateway } from '../../apps/cloud/src/gateway/open-gateway.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { Key, KeyLimits } from '../../apps/cloud/src/storage/storage.ts';
import { closeAtEnd, sharesParts } from '../../scripts/testing/shared-parts.ts';
import { createTestDatabase } from './databases.ts';
import { writeEmptyDatabase } from './empty-database.ts';
import { providerUrls } from './provider-urls.ts';
import { spareProviderUrl } from './test-provider.ts';

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
  /** For long texts (over 24,000 characters) the engine cannot start, or takes longer than its deadline. */
  readonly engine?: keyof typeof SCAN_THREADS;
  /** PostgreSQL instead of SQLite. */
  readonly isOnPostgres?: boolean;
  /** Never shared: the test reads or breaks what belongs to the whole service, such as its data folder or metrics. */
  readonly isOwn?: boolean;
}

const SCAN_THREADS = {
  broken: new URL('./broken-scan-thread.ts', import.meta.url),
  slow: new URL('./slow-scan-thread.ts', import.meta.url),
};
/** Idle gateways that stay open in a process, for files that ask for the same configuration. */
const MAX_IDLE = 3;

/**
 * The whole service on a real socket. Test files that share a process share a gateway for each configuration, and each
 * call gets an organization of its own in it; what needs its own clock, data folder or broken part gets its own gateway.
 * The database is SQLite, or PostgreSQL if the test or CSG_TEST_ENGINE=postgres asks for it.
 */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const isShared =
    sharesParts() &&
    options.isOwn !== true &&
    options.clock === undefined &&
    options.dataDir === undefined &&
    // The test's own database.
    !options.env?.['DATABASE_URL'] &&
    options.engine === undefined;
  return isShared ? await shareGateway(options) : await openOwnGateway(options);
}

interface OpenGateway {
  readonly gateway: Gateway;
  readonly address: string;
  readonly dataDir: string;
  readonly clock: Clock;
  /** What was logged since the gateway was handed out last. */
  readonly log: { lines: string[] };
  close(): Promise<void>;
}

async function openOwnGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const open = await openTestGateway(options);
  const { storage } = open.gateway;
  const account = await setUpService({ storage, clock: open.clock, makeKey }, null);
  return handOut(open, account, { dataDir: open.dataDir, close: open.close });
}

interface SharedGateway {
  readonly key: string;
  readonly opened: Promise<OpenGateway>;
  users: number;
}
/** The one used last is last. */
let shared: SharedGateway[] = [];

async function shareGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const providerUrl = options.providerUrl ?? spareProviderUrl();
  const isOnPostgres = asksForPostgres(options);
  const key = JSON.stringify([providerUrl, isOnPostgres, Object.entries(options.env ?? {}).sort()]);
  const entry = shared.find((one) => one.key === key) ?? {
    key,
    opened: openTestGateway({ ...options, providerUrl }),
    users: 0,
  };
  entry.users += 1;
  shared = [...shared.filter((one) => one !== entry), entry];
  const open = await entry.opened;
  open.log.lines = [];
  const handedOut = await handOut(open, await addAccount(open), {
    dataDir: '',
    async close() {
      if (isClosed) return;
      isClosed = true;
      entry.users -= 1;
      const idle = shared.filter(({ users }) => users === 0);
      await closeShared(idle.slice(0, Math.max(0, idle.length - MAX_IDLE)));
    },
  });
  let isClosed = false;
  const dataDir = (): never => {
    throw new Error('The data folder belongs to all test files of this process: start with isOwn.');
  };
  return Object.defineProperty(handedOut, 'dataDir', { get: dataDir, enumerable: false });
}

async function closeShared(ended: readonly SharedGateway[]): Promise<void> {
  shared = shared.filter((one) => !ended.includes(one));
  for (const { opened } of ended) await (await opened).close();
}
// Also those that a failed test did not close.
closeAtEnd(() => closeShared(shared));

function asksForPostgres({ isOnPostgres, env, dataDir }: TestGatewayOptions): boolean {
  if (env?.['DATABASE_URL'] !== undefined) return false;
  return isOnPostgres ?? (process.env['CSG_TEST_ENGINE'] === 'postgres' && dataDir === undefined);
}

async function openTestGateway(options: TestGatewayOptions): Promise<OpenGateway> {
  const database = asksForPostgres(options) ? await createTestDatabase() : null;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'csg-test-')));
  if (options.dataDir === undefined) await writeEmptyDatabase(dataDir);
  const clock = options.clock ?? SYSTEM_CLOCK;
  const parsed = parseConfig({
    PORT: '0',
    GATEWAY_DATA_DIR: dataDir,
    EDGE_LIMIT_PER_MINUTE: '0',
    AUTH_FAILURE_LIMIT: '0',
    ...providerUrls(options.providerUrl ?? 'http://127.0.0.1:9'),
    DRAIN_MS: '2000',
    ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
    ...(options.engine === 'slow' && { SCAN_DEADLINE_MS: '10' }),
    ...options.env,
  });
  if (!parsed.ok) throw new Error(`the test's configuration is not usable: ${parsed.problems.join('; ')}`);
  const log: OpenGateway['log'] = { lines: [] };
  const write = (line: string) => void log.lines.push(line);
  const gateway = await openGateway(
    parsed.config,
    pino({ level: parsed.config.logLevel }, { write }),
    clock,
    options.engine && SCAN_THREADS[options.engine],
  );
  return {
    ...{ gateway, dataDir, clock, log },
    address: await gateway.listen(),
    async close() {
      await gateway.close();
      await database?.drop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let accounts = 0;

/** An account like the one that the first start creates, but not the operator's. */
async function addAccount({ gateway, clock }: OpenGateway): Promise<FirstAccount> {
  return await gateway.storage.transaction(async (repositories) => {
    const user = await repositories.users.insert({
      email: `owner${++accounts}@localhost`,
      name: 'Operator',
      emailVerifiedAtMs: clock.now(),
    });
    await repositories.subscriptions.set(user.id, { plan: 'enterprise', status: 'active' });
    const { id } = await repositories.organizations.insert({
      kind: 'personal',
      name: 'My organization',
      ownerId: user.id,
    });
    await repositories.members.add(id, user.id, 'owner');
    const project = await insertProject(repositories, id, { name: 'Default project' });
    await repositories.audit.append({
      ...{ organizationId: id, kind: 'account_created', actor: 'operator', subject: user.id },
      data: { plan: 'enterprise' },
    });
    return { accountId: user.id, organizationId: id, projectId: project.id, firstKey: null };
  });
}

async function handOut(
  open: OpenGateway,
  account: FirstAccount,
  own: Pick<TestGateway, 'dataDir' | 'close'>,
): Promise<TestGateway> {
  const { gateway, address } = open;
  const { storage } = gateway;
  const logLines = open.log.lines;

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
    ...{ address, account, key, logLines, addKey, call },
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
    ...own,
  };
}
