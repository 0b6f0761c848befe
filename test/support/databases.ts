/**
 * Real databases for tests. SQLite: a fresh folder each. PostgreSQL: a fresh database each, on TEST_DATABASE_URL if
 * that is given, else on a throw-away cluster on loopback, which all files of one test run share.
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
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findTool, missingTool } from '../../scripts/system-tools.ts';

const READY_MS = 60_000;

/** Why tests of PostgreSQL cannot run here; false if they can. */
export const noPostgres: string | false =
  process.env['TEST_DATABASE_URL'] === undefined && missingTool(['postgres']);

export interface TestDatabase {
  readonly databaseUrl: string;
  /** Ends its connections and deletes it. */
  drop(): Promise<void>;
}

/** Creates an empty database for one test. */
export async function createTestDatabase(serverUrl?: string): Promise<TestDatabase> {
  const server = serverUrl ?? process.env['TEST_DATABASE_URL'] ?? (await sharedCluster());
  const name = `csg_${randomBytes(6).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    drop: () => runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
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
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  initialise(folder);
  let server: ChildProcess | undefined;
  const cluster: TestCluster = {
    url,
    async start() {
      server = launch(folder, port, false);
      endWith(process.pid, server.pid!, folder);
      await waitUntilReady(url, server);
    },
    async stop() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const gone = new Promise((resolve) => server?.once('exit', resolve));
      server.ref();
      server.kill('SIGQUIT');
      await gone;
    },
    async remove() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}

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
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    initialise(data);
    const server = launch(data, port, true);
    endWith(process.ppid, server.pid!, folder);
    await waitUntilReady(url, server);
    writeFileSync(`${urlFile}.new`, url);
    renameSync(`${urlFile}.new`, urlFile);
    return url;
  }
  for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += 50) {
    if (existsSync(urlFile)) return readFileSync(urlFile, 'utf8');
    await pause(50);
  }
  throw new Error(
    `No PostgreSQL after ${READY_MS / 1000} s: the test file that should have started it did not.`,
  );
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
  const deadline = performance.now() + READY_MS;
  for (;;) {
    try {
      await runOn(url, 'SELECT 1');
      return;
    } catch (error) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}`);
      if (performance.now() > deadline) throw error;
      await pause(25);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
