import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createLabelLimit } from '../../apps/cloud/src/storage/batch/label-limit.ts';
import { createModelNames } from '../../apps/cloud/src/storage/batch/model-names.ts';
import { prepareDecision } from '../../apps/cloud/src/storage/batch/prepare-decision.ts';
import { createRecorder } from '../../apps/cloud/src/storage/batch/recorder.ts';
import { createSqliteBatchWriter } from '../../apps/cloud/src/storage/batch/sqlite-batch-writer.ts';
import { sqliteError } from '../../apps/cloud/src/storage/engines/sqlite-engine.ts';
import { openSqlite } from '../../apps/cloud/src/storage/engines/sqlite-handles.ts';
import { MIGRATIONS } from '../../apps/cloud/src/storage/migrations/all.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import { createSealer } from '../../apps/cloud/src/storage/sealing/sealer.ts';
import { createVault, derivedSecrets } from '../../apps/cloud/src/storage/sealing/vault.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { createEmptyDatabase, noPostgres, startCluster } from '../support/databases.ts';
import { connect } from './storage-audit-tables.ts';
import { MASTER_KEY, makeRecord, NOON, onEveryEngine } from './storage-engines.ts';

const code = (expected: string) => (error: unknown) =>
  error instanceof StorageError && error.code === expected;

onEveryEngine(
  'Opening',
  (engine) => {
    test('rejects a newer schema, another master key and a short one, each with its own error', async () => {
      const storage = await engine.open();
      await storage.close();
      await assert.rejects(engine.open({ masterKey: Buffer.alloc(32, 1) }), code('wrong_master_key'));
      await assert.rejects(engine.open({ masterKey: Buffer.alloc(31, 1) }), RangeError);
      const { run, close } = await connect(engine.options());
      await run(`UPDATE meta SET value = '99' WHERE name = 'schema_version'`);
      await assert.rejects(engine.open(), (error: StorageError) => {
        assert.equal(error.code, 'newer_schema');
        assert.match(
          error.message,
          /^The database has schema version 99 but this version supports at most \d+\. /,
        );
        return true;
      });
      await run(`UPDATE meta SET value = '${MIGRATIONS.length}' WHERE name = 'schema_version'`);
      await close();
      await engine.open();
    });

    test('accepts nothing after closing', async () => {
      const storage = await engine.open();
      await storage.close();
      await storage.close();
      await assert.rejects(storage.decisions.record(makeRecord('org_closed')));
      await assert.rejects(storage.users.list());
    });
  },
  false,
);

describe('a full disk', () => {
  test('rejects everyone who waits, with the cause, and leaves nothing incomplete', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-full-'));
    const open = () => openStorage({ dataDir, masterKey: MASTER_KEY, now: () => NOON });
    await (await open()).close();
    const handles = await openSqlite(path.join(dataDir, 'gateway.sqlite'));
    const pages = handles.writes.pragma('page_count', { simple: true }) as number;
    handles.writes.pragma(`max_page_count = ${pages + 20}`);
    const vault = createVault(
      createSealer({ current: MASTER_KEY, previous: [] }),
      derivedSecrets(MASTER_KEY),
    );
    const recorder = createRecorder({
      writer: createSqliteBatchWriter(handles, vault, sqliteError),
      log: () => {},
      onGrown: () => {},
    });
    let stored = 0;
    let refused = 0;
    const nameModel = createModelNames();
    const isLabelStored = createLabelLimit();
    for (let round = 0; round < 30; round++) {
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () =>
          recorder.record(
            prepareDecision(
              makeRecord('org_full', {}, { accountId: 'usr_full', device: false }),
              NOON,
              nameModel,
              isLabelStored,
            ),
          ),
        ),
      );
      const good = results.filter(({ status }) => status === 'fulfilled').length;
      assert.ok(good === 0 || good === 10, 'one transaction, one outcome');
      for (const result of results)
        if (result.status === 'rejected') assert.ok(code('disk_full')(result.reason));
      stored += good;
      refused += 10 - good;
    }
    assert.ok(stored > 0 && refused > 0, `${stored} stored, ${refused} refused`);
    // There is space again: the next one is stored as usual.
    handles.writes.pragma(`max_page_count = ${pages + 2000}`);
    await recorder.record(prepareDecision(makeRecord('org_full'), NOON, nameModel, isLabelStored));
    handles.close();
    const storage = await open();
    const report = await storage.audit.verify('org_full');
    assert.deepEqual([report.valid, report.checked], [true, stored + 1], JSON.stringify(report.faults));
    assert.equal(await storage.usage.monthTotal('usr_full', '2026-11'), stored);
    const days = { fromDay: '2026-11-01', toDay: '2026-11-30' };
    const [details] = await storage.usageDetails.sum('org_full', days, ['day']);
    assert.equal(details?.scans, stored + 1, 'counted with each stored decision, and no other');
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('PostgreSQL becomes unreachable', { skip: noPostgres }, () => {
  test('silently: its connections are dropped, and everything continues over new ones', async (t) => {
    const { databaseUrl, drop } = await createEmptyDatabase();
    const way = await startWay(Number(new URL(databaseUrl).port));
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-silent-'));
    const storage = await openStorage({
      dataDir,
      databaseUrl: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${way.port}` }).href,
      databaseTimeoutMs: 500,
      masterKey: MASTER_KEY,
      now: () => NOON,
    });
    t.after(async () => {
      await storage.close();
      way.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const work = () =>
      Promise.all([
        ...Array.from({ length: 5 }, () => storage.decisions.record(makeRecord('org_silent'))),
        ...Array.from({ length: 15 }, () => storage.users.list()),
      ]);
    await work();
    // As after a power failure: open connections stay open, and nothing comes back.
    way.silence();
    await work();
    await work();
    const report = await storage.audit.verify('org_silent');
    assert.deepEqual([report.valid, report.checked], [true, 15], JSON.stringify(report.faults));
  });

  test('during a commit that succeeded: the outcome is checked, and nothing is written twice', async (t) => {
    const { databaseUrl, drop } = await createEmptyDatabase();
    const way = await startWay(Number(new URL(databaseUrl).port));
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-doubt-'));
    const storage = await openStorage({
      dataDir,
      databaseUrl: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${way.port}` }).href,
      masterKey: MASTER_KEY,
      now: () => NOON,
    });
    t.after(async () => {
      await storage.close();
      way.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const admit = () =>
      storage.usage.admit({ accountId: 'usr_doubt', limit: 1_000, device: false, nowMs: NOON });
    await admit();
    for (let round = 1; round <= 5; round++) {
      const lost = way.loseCommit();
      const [admitted] = await Promise.all([admit(), storage.decisions.record(makeRecord('org_doubt'))]);
      assert.ok(lost(), 'the confirmation of the commit is lost');
      assert.deepEqual(admitted, { admitted: true, used: round + 1 });
    }
    assert.equal(await storage.usage.monthTotal('usr_doubt', '2026-11'), 6);
    const report = await storage.audit.verify('org_doubt');
    assert.deepEqual([report.valid, report.checked], [true, 5], JSON.stringify(report.faults));
  });

  test("before a commit, and reuses the transaction's number: nothing is lost", async (t) => {
    const cluster = await startCluster();
    const { databaseUrl } = await createEmptyDatabase(cluster.url);
    const way = await startWay(Number(new URL(databaseUrl).port));
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-anew-'));
    const storage = await openStorage({
      dataDir,
      databaseUrl: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${way.port}` }).href,
      databaseWaitMs: 60_000,
      masterKey: MASTER_KEY,
      now: () => NOON,
    });
    t.after(async () => {
      await storage.close();
      way.close();
      await cluster.remove();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const admit = () =>
      storage.usage.admit({ accountId: 'usr_anew', limit: 1_000, device: false, nowMs: NOON });
    await admit();
    // Rows stay in memory until the commit.
    const direct = await connectDirectly(databaseUrl);
    await direct.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
    await direct.query('SELECT pg_reload_conf()');
    await direct.end();
    way.onCommit(async () => {
      await cluster.stop();
      await cluster.start();
      const another = await connectDirectly(databaseUrl);
      for (let i = 0; i < 5; i++) await another.query('SELECT txid_current()');
      await another.end();
    });
    assert.deepEqual(await admit(), { admitted: true, used: 2 });
    assert.equal(await storage.usage.monthTotal('usr_anew', '2026-11'), 2);
  });

  test('for less than the wait: no request is rejected, nothing is doubled', async (t) => {
    const cluster = await startCluster();
    const { databaseUrl } = await createEmptyDatabase(cluster.url);
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-moment-'));
    const storage = await openStorage({
      dataDir,
      databaseUrl,
      databaseWaitMs: 60_000,
      masterKey: MASTER_KEY,
      now: () => NOON,
    });
    t.after(async () => {
      await storage.close();
      await cluster.remove();
      rmSync(dataDir, { recursive: true, force: true });
    });
    let isOver = false;
    let stored = 0;
    const work = async (): Promise<void> => {
      while (!isOver) {
        const admission = { accountId: 'usr_moment', limit: 1_000_000, device: false, nowMs: NOON };
        assert.equal((await storage.usage.admit(admission)).admitted, true);
        await storage.decisions.record(makeRecord('org_moment'));
        await storage.users.list();
        stored += 1;
      }
    };
    const workers = Array.from({ length: 8 }, work);
    const failed = Promise.race(workers);
    const until = async (due: number): Promise<void> => {
      while (stored < due) await Promise.race([pause(5), failed]);
    };
    await until(50);
    for (let round = 0; round < 3; round++) {
      await cluster.stop();
      await assert.rejects(storage.ping(), code('unavailable'), 'a health check does not wait');
      await cluster.start();
      await until(stored + 50);
    }
    isOver = true;
    await Promise.all(workers);
    const report = await storage.audit.verify('org_moment');
    assert.deepEqual([report.valid, report.checked], [true, stored], JSON.stringify(report.faults));
    assert.equal(await storage.usage.monthTotal('usr_moment', '2026-11'), stored);
  });

  test('for longer: rejects requests, loses and doubles nothing, and continues automatically', async () => {
    const cluster = await startCluster();
    const { databaseUrl } = await createEmptyDatabase(cluster.url);
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-gone-'));
    const storage = await openStorage({
      dataDir,
      databaseUrl,
      databaseWaitMs: 200,
      masterKey: MASTER_KEY,
      now: () => NOON,
    });
    let stored = 0;
    const record = async (): Promise<string> => {
      const one = makeRecord('org_gone');
      await storage.usage.admit({ accountId: 'usr_gone', limit: null, device: false, nowMs: NOON });
      await storage.decisions.record(one);
      stored += 1;
      return one.event.id;
    };
    const ids: string[] = [];
    const refused: unknown[] = [];
    let attempts = 0;
    let isOver = false;
    // Writes all the time, so that the server stops during a write.
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        attempts += 1;
        await record().then(
          (id) => ids.push(id),
          async (error) => {
            refused.push(error);
            await pause(5);
          },
        );
      }
    });
    const until = async (reached: () => boolean): Promise<void> => {
      for (const deadline = performance.now() + 60_000; !reached(); await pause(5)) {
        assert.ok(performance.now() < deadline, 'it did not happen');
      }
    };
    await until(() => stored > 100);
    await cluster.stop();
    await until(() => refused.length > 10);
    await assert.rejects(storage.ping(), code('unavailable'));
    await assert.rejects(storage.users.list(), code('unavailable'));
    await assert.rejects(
      storage.transaction((s) => s.users.insert({ email: 'a@b.c' })),
      code('unavailable'),
    );
    await cluster.start();
    const before = stored;
    await until(() => stored > before + 100);
    isOver = true;
    await Promise.all(writers);
    await storage.flush();
    for (const error of refused) assert.ok(code('unavailable')(error), String(error));
    for (const id of ids) assert.notEqual(await storage.events.get('org_gone', id), null, `${id} was lost`);
    const report = await storage.audit.verify('org_gone');
    assert.deepEqual([report.valid, report.checked], [true, stored], JSON.stringify(report.faults));
    assert.equal(await storage.usage.monthTotal('usr_gone', '2026-11'), attempts, 'requests counted');
    await storage.close();
    await cluster.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

interface Way {
  readonly port: number;
  /** From now on nothing passes over the existing connections. */
  silence(): void;
  /** The next COMMIT arrives, and its connection ends before the response; resolves to whether that happened. */
  loseCommit(): () => boolean;
  /** The next COMMIT does not arrive; its connection ends after `act`. */
  onCommit(act: () => Promise<void>): void;
  close(): void;
}

async function connectDirectly(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Forwards connections to a local port. */
async function startWay(to: number): Promise<Way> {
  const open = new Set<Socket>();
  let isLosing = false;
  let hasLost = false;
  let acting: (() => Promise<void>) | null = null;
  const server = createServer((client) => {
    const behind = connectTo(to, '127.0.0.1');
    client.on('data', (chunk: Buffer) => {
      if (acting !== null && chunk.includes('COMMIT')) {
        behind.destroy();
        void acting().then(() => client.destroy());
        acting = null;
      }
      if (!isLosing || !chunk.includes('COMMIT')) return;
      isLosing = false;
      behind.unpipe(client).once('data', () => {
        hasLost = true;
        client.destroy();
        behind.destroy();
      });
      behind.resume();
    });
    client.pipe(behind).pipe(client);
    for (const socket of [client, behind]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const socket of open) socket.unpipe().pause();
    },
    loseCommit() {
      isLosing = true;
      hasLost = false;
      return () => hasLost;
    },
    onCommit(act) {
      acting = act;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
