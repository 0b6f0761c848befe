/**
 * PostgreSQL for tests: a fresh database each, on TEST_DATABASE_URL if that is given, else on a throw-away cluster on
 * loopback, which all files of one test run share.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openPostgresEngine } from '../../apps/cloud/src/storage/engines/postgres-engine.ts';
import { migrate } from '../../apps/cloud/src/storage/migrate.ts';
import { findTool, missingTool } from '../../scripts/system-tools.ts';
import { onFreePort } from './free-port.ts';
import { HANG_LIMIT_MS, until } from './until.ts';

const TEMPLATE = 'csg_template';
/** Any constant: the lock of the process that makes the template. */
const TEMPLATE_LOCK = 7_246_002;

/** Why tests of PostgreSQL cannot run here; false if they can. */
export const noPostgres: string | false =
  process.env['TEST_DATABASE_URL'] === undefined && missingTool(['postgres']);

export interface TestDatabase {
  readonly databaseUrl: string;
  /** Ends its connections and deletes it. */
  drop(): Promise<void>;
}

/** Creates a database for one test, with the current tables: a copy takes a tenth of the time of all migrations. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return await createEmptyDatabase(given);
  const server = await sharedCluster();
  await ensureTemplate(server);
  return await createDatabase(server, `TEMPLATE ${TEMPLATE}`);
}

/** Creates a database without tables for one test. */
export async function createEmptyDatabase(serverUrl?: string): Promise<TestDatabase> {
  return await createDatabase(serverUrl ?? process.env['TEST_DATABASE_URL'] ?? (await sharedCluster()), '');
}

/** A custom-format dump, as docs/backup.md describes it. */
export function dumpDatabase(databaseUrl: string, file: string): void {
  runProgram('pg_dump', ['--format=custom', `--file=${file}`, databaseUrl]);
}

/** Puts a dump into a database without tables. */
export function restoreDump(file: string, databaseUrl: string): void {
  runProgram('pg_restore', ['--exit-on-error', `--dbname=${databaseUrl}`, file]);
}

function runProgram(name: string, args: readonly string[]): void {
  const ended = spawnSync(program(name), args, { encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`${name} failed: ${ended.stderr || ended.error}`);
}

async function createDatabase(server: string, options: string): Promise<TestDatabase> {
  const name = `csg_${randomBytes(6).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${name} ${options}`);
  return {
    databaseUrl: databaseOn(server, name),
    drop: () => runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function databaseOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The first process that asks makes the template; others wait for it. */
async function ensureTemplate(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount !== 0) return;
    const { databaseUrl } = await createDatabase(server, '');
    const engine = openPostgresEngine(
      databaseUrl,
      { waitMs: HANG_LIMIT_MS, queryTimeoutMs: HANG_LIMIT_MS },
      () => {},
    );
    await migrate(engine.db, engine.dialect);
    await engine.close();
    await client.query(`ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} RENAME TO ${TEMPLATE}`);
  } finally {
    await client.end();
  }
}

async function runOn(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface TestCluster {
  readonly url: string;
  /** Ends the server immediately, as a power failure would. */
  stop(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a PostgreSQL server for one test alone. */
export async function startCluster(): Promise<TestCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-pg-'));
  initialise(folder);
  const startOn = async (port: number): Promise<ChildProcess> => {
    const started = launch(folder, port, false);
    endWith(process.pid, started.pid!, folder);
    await waitUntilReady(urlOf(port), started);
    return started;
  };
  let server: ChildProcess;
  const port = await onFreePort(async (free) => {
    server = await startOn(free);
    return free;
  });
  const cluster: TestCluster = {
    url: urlOf(port),
    async start() {
      server = await startOn(port);
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.ref();
      server.kill('SIGQUIT');
      await gone;
    },
    async remove() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** The test files of one run have the same parent: the first one starts the cluster, and it ends with the parent. */
async function sharedCluster(): Promise<string> {
  if (process.env['NODE_TEST_CONTEXT'] === undefined) {
    ownCluster ??= startCluster();
    return (await ownCluster).url;
  }
  const folder = path.join(tmpdir(), `csg-pg-run-${process.ppid}`);
  const urlFile = path.join(folder, 'url');
  if (isFirst(folder)) {
    const data = path.join(folder, 'data');
    mkdirSync(data);
    initialise(data);
    const url = await onFreePort(async (port) => {
      const server = launch(data, port, true);
      endWith(process.ppid, server.pid!, folder);
      await waitUntilReady(urlOf(port), server);
      return urlOf(port);
    });
    writeFileSync(`${urlFile}.new`, url);
    renameSync(`${urlFile}.new`, urlFile);
    return url;
  }
  await until(
    () => existsSync(urlFile),
    (isThere) => isThere,
  );
  return readFileSync(urlFile, 'utf8');
}
let ownCluster: Promise<TestCluster> | undefined;

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A small shell stays running and cleans up when the test run is over, however it ended. */
function endWith(parentPid: number, serverPid: number, folder: string): void {
  const script = 'while kill -0 "$0" 2>/dev/null; do sleep 0.5; done; kill -QUIT "$1"; sleep 1; rm -rf "$2"';
  spawn('sh', ['-c', script, String(parentPid), String(serverPid), folder], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
  }).unref();
}

function program(name: string): string {
  const postgres = findTool('postgres');
  if (postgres === undefined) throw new Error(String(noPostgres));
  return path.join(path.dirname(realpathSync(postgres)), name);
}

/** PostgreSQL refuses to run as root, so it runs as the user that its package created. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const ask = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: ask('-u'), gid: ask('-g') };
}

function initialise(folder: string): void {
  const user = serverUser();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const options = [
    '-D',
    folder,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--locale=C',
    '--encoding=UTF8',
  ];
  const made = spawnSync(program('initdb'), options, { ...user, encoding: 'utf8', cwd: '/' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);
}

function launch(folder: string, port: number, detached: boolean): ChildProcess {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  // Data lost in a power failure does not matter here; data lost in a kill does, and fsync does not affect that.
  settings.push('fsync=off', 'max_connections=200');
  const server = spawn(
    program('postgres'),
    ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...serverUser(),
      stdio: 'ignore',
      cwd: '/',
      detached,
    },
  );
  // A finished test process does not wait for its server.
  server.unref();
  return server;
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const answer = await until(
    async () => {
      if (server.exitCode !== null) return new Error(`PostgreSQL ended with code ${server.exitCode}`);
      return await runOn(url, 'SELECT 1').catch(() => 'not ready');
    },
    (state) => state !== 'not ready',
  );
  if (answer instanceof Error) throw answer;
}
