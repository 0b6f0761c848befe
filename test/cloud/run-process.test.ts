import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import pg from 'pg';
import { runProcess } from '../../apps/cloud/src/run-process.ts';
import { serve } from '../../apps/cloud/src/serve.ts';
import { type CommandEnd, commandLine, runInShell } from '../support/command-line.ts';
import { createEmptyDatabase, noPostgres } from '../support/databases.ts';
import { runMain } from '../support/gateway-process.ts';
import { noRedis, startRedis } from '../support/redis.ts';

describe('a start fails with one sentence for', { concurrency: 3 }, () => {
  let folder: string;
  let made = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csg-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const newDir = () => join(folder, `data${++made}`);
  /** In this process: another takes two seconds of CPU time to start. Some of each kind run as a process of its own. */
  const start = (env: Record<string, string>) =>
    runInShell({ GATEWAY_DATA_DIR: newDir(), ...env }, (shell) => runProcess(shell, serve));
  const startAlone = (env: Record<string, string>) => runMain({ GATEWAY_DATA_DIR: newDir(), ...env });
  const migrate = (dataDir: string, env: Record<string, string> = {}) =>
    commandLine(dataDir, env).run(['migrate']);
  const written = async (text: string): Promise<string> => {
    const file = join(folder, `file${++made}.json`);
    await writeFile(file, text);
    return file;
  };
  /** One sentence with an exit code, and no stack trace. */
  const assertOutput = (ended: CommandEnd, sentence: RegExp, code = 1) => {
    assert.match(ended.stderr, sentence);
    assert.equal(ended.code, code, ended.stderr);
    assert.equal(ended.stdout, '');
    assert.doesNotMatch(ended.stderr, /^\s+at |node:internal|\.ts:\d+/m);
    const lines = ended.stderr.trim().split('\n');
    assert.ok(lines.length <= 3, `more than a sentence:\n${ended.stderr}`);
  };

  test('a port that is taken', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    assertOutput(
      await startAlone({ PORT: String(port) }),
      new RegExp(`Port ${port} .*already in use.*PORT=`),
    );
  });

  test('an address of another machine', async () => {
    assertOutput(await startAlone({ HOST: '192.0.2.1' }), /HOST/);
  });

  test('invalid settings, each of which is named', async () => {
    const ended = await startAlone({ PORT: 'many', DATABASE_URL: 'mysql://x' });
    assertOutput(ended, /PORT must be a whole number.*not "many"\s+DATABASE_URL must be a URL/, 2);
  });

  test('workers that cannot count together, or an invalid number of them', async () => {
    assertOutput(await start({ WORKERS: '2' }), /WORKERS .*requires DATABASE_URL and REDIS_URL/, 2);
    assertOutput(
      await start({ WORKERS: 'all' }),
      /WORKERS must be a whole number from 1 to 64, not "all"/,
      2,
    );
  });

  test('an unknown option on the command line', async () => {
    const ended = await runMain({ GATEWAY_DATA_DIR: newDir() }, ['--wrokers', '2']);
    assert.match(ended.stderr, /unknown option '--wrokers'[\s\S]*--workers/);
    assert.equal(ended.code, 1);
  });

  test('an invalid master key, given or in its file, and one of another database', async () => {
    const [given, filed] = await Promise.all([
      start({ GATEWAY_MASTER_KEY: 'secret' }),
      start({ GATEWAY_MASTER_KEY_FILE: await written('too short') }),
    ]);
    for (const ended of [given, filed]) {
      assertOutput(ended, /master key must be 32 bytes/);
      assert.doesNotMatch(ended.stderr, /secret|too short/);
    }
    const dataDir = newDir();
    const migrated = await migrate(dataDir);
    assert.equal(migrated.code, 0, migrated.stderr);
    const other = await start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_MASTER_KEY: 'ab'.repeat(32) });
    assertOutput(other, /another master key/);
  });

  test('a PostgreSQL that is not there', async () => {
    const cases: [string, RegExp, number][] = [
      [
        'postgres://nobody:hunter2@127.0.0.1:9/none',
        /database cannot be used: .*ECONNREFUSED 127\.0\.0\.1:9/,
        1,
      ],
      ['postgres://nobody:hunter2@nowhere.invalid/none', /its host name could not be resolved/, 1],
      ['postgres://nobody:hunter2@127.0.0.1:port/none', /DATABASE_URL must be a URL that starts with/, 2],
      ['127.0.0.1/none', /DATABASE_URL must be a URL that starts with postgres:\/\//, 2],
    ];
    const ends = await Promise.all(
      cases.map(([DATABASE_URL], index) => (index === 0 ? startAlone : start)({ DATABASE_URL })),
    );
    for (const [index, ended] of ends.entries()) {
      assertOutput(ended, cases[index]![1], cases[index]![2]);
      assert.doesNotMatch(ended.stderr, /hunter2/);
    }
  });

  test('a PostgreSQL that rejects the connection, or has something else in it', {
    skip: noPostgres,
  }, async (t) => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    t.after(async () => {
      await client.end();
      await database.drop();
    });
    const at = (change: Partial<URL>) => Object.assign(new URL(database.databaseUrl), change).href;
    // `migrate` opens the storage as the service does, and starts sooner.
    const refused = async (DATABASE_URL: string, sentence: RegExp) =>
      assertOutput(await migrate(newDir(), { DATABASE_URL }), sentence);
    assertOutput(await start({ DATABASE_URL: at({ pathname: '/none' }) }), /database "none" does not exist/);
    await refused(at({ username: 'no_such_role' }), /role "no_such_role" does not exist/);

    const role = `csg_${process.pid}`;
    await client.query(`CREATE ROLE ${role} LOGIN`);
    await refused(at({ username: role }), /permission denied for schema public/);
    await client.query(`DROP ROLE ${role}`);

    await client.query('CREATE TABLE users (id integer)');
    await refused(database.databaseUrl, /tables of another application .*"users" already exists/);
    await client.query('DROP TABLE users');
    const before = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
    assert.equal(before.rowCount, 0, 'a failed start has left nothing');
    await client.query('CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL)');
    for (const [version, sentence] of [
      ['999', /schema version 999 but this version supports at most \d+\. Start the newer version/],
      ['two', /schema version "two", which no version has written/],
      // Claims to be old, and has none of what an old one has.
      ['3', /cannot be migrated from version 3 .*nothing was changed/],
    ] as const) {
      await client.query(
        `INSERT INTO meta VALUES ('schema_version', '${version}') ON CONFLICT (name) DO UPDATE SET value = '${version}'`,
      );
      await refused(database.databaseUrl, sentence);
    }
    await client.query(
      `ALTER DATABASE ${new URL(database.databaseUrl).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    await refused(database.databaseUrl, /database cannot be used: .*read-only transaction/);
  });

  test('a Redis that is absent, needs a password, or rejects writes', { skip: noRedis }, async (t) => {
    const [closed, full] = await Promise.all([
      startRedis(['--requirepass', 'secret']),
      startRedis(['--maxmemory', '1']),
    ]);
    t.after(() => Promise.all([closed.stop(), full.stop()]));
    const wrong = new URL(closed.url);
    wrong.password = 'hunter2';
    const cases: [string, RegExp][] = [
      ['redis://127.0.0.1:9', /^Redis at 127\.0\.0\.1:9 cannot be reached/m],
      [wrong.href, /rejects the user name or password of REDIS_URL/],
      [full.url, /rejects writes: OOM/],
    ];
    const ends = await Promise.all(cases.map(([REDIS_URL]) => start({ REDIS_URL })));
    for (const [index, ended] of ends.entries()) {
      assertOutput(ended, cases[index]![1]);
      assert.doesNotMatch(ended.stderr, /hunter2/);
    }
  });

  test('a data folder that cannot be one', async () => {
    const file = await written('a file where a folder should be');
    assertOutput(await start({ GATEWAY_DATA_DIR: file }), new RegExp(file));
    assertOutput(await start({ GATEWAY_DATA_DIR: join(file, 'below') }), new RegExp(file));
  });

  test('a database file that is not one', async () => {
    const dataDir = newDir();
    await mkdir(dataDir);
    await writeFile(
      join(dataDir, 'gateway.sqlite'),
      'these are not the bytes of a database, whatever its name says',
    );
    assertOutput(await start({ GATEWAY_DATA_DIR: dataDir }), /gateway\.sqlite|database/);
  });

  test('a schema newer than this build', async () => {
    const dataDir = newDir();
    await migrate(dataDir);
    const database = new Database(join(dataDir, 'gateway.sqlite'));
    database.prepare("UPDATE meta SET value = '999' WHERE name = 'schema_version'").run();
    database.close();
    assertOutput(await start({ GATEWAY_DATA_DIR: dataDir }), /newer/);
  });

  test('files of providers and plans that are unreadable or invalid', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ PROVIDERS_FILE: join(folder, 'nowhere.json') }, /PROVIDERS_FILE|nowhere\.json/],
      [{ PROVIDERS_FILE: await written('[{"name":') }, /PROVIDERS_FILE/],
      [{ PROVIDERS_FILE: await written('[{"name":"x"}]') }, /PROVIDERS_FILE|provider/i],
      [{ GATEWAY_PLANS_FILE: join(folder, 'nowhere.json') }, /GATEWAY_PLANS_FILE|nowhere\.json/],
      [{ GATEWAY_PLANS_FILE: await written('{') }, /GATEWAY_PLANS_FILE|plans file/],
      [{ GATEWAY_PLANS_FILE: await written('{"gold":{}}') }, /plans file names the unknown plan "gold"/],
      [{ GATEWAY_PLANS_FILE: await written('{"free":null}') }, /plans file/],
    ];
    const ends = await Promise.all(cases.map(([env]) => start(env)));
    for (const [index, ended] of ends.entries()) assertOutput(ended, cases[index]?.[1] as RegExp);
  });
});
