import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { SEALED_COLUMNS } from '../../apps/cloud/src/storage/sealing/sealed-columns.ts';
import { HOOK_URL, sealEverything } from './sealed-test-env.ts';
import { connect } from './storage-audit-tables.ts';
import { createTestEnv, type Engine, makeRecord, onEveryEngine } from './storage-engines.ts';

const [K1, K2, K3] = [0x11, 0x22, 0x33].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const BEFORE = { masterKey: K1 };
/** Keys of two instances during a change. */
const STILL_OLD = { masterKey: K1, previousKeys: [K2] };
const ALREADY_NEW = { masterKey: K2, previousKeys: [K1] };
const AFTER = { masterKey: K2 };
const WRONG = { code: 'wrong_master_key' };

test('every binary column is a hash or is re-encrypted by a master key change', () => {
  const schema = readFileSync(new URL('../golden/schema.sqlite.sql', import.meta.url), 'utf8');
  const sealed = new Set(
    SEALED_COLUMNS.filter(({ isText }) => !isText).map(({ table, column }) => `${table}.${column}`),
  );
  const found = new Set<string>();
  for (const [, table, columns] of schema.matchAll(/create table "(\w+)" \((.*)\);/g)) {
    for (const [, column] of columns!.matchAll(/"(\w+)" blob/g)) {
      if (!/^(.*_)?hash$/.test(column!)) found.add(`${table}.${column}`);
    }
  }
  for (const [, table, column] of schema.matchAll(/alter table "(\w+)" add column "(\w+)" blob/g)) {
    found.add(`${table}.${column}`);
  }
  const dropped = new Set([...schema.matchAll(/drop table "(\w+)"/g)].map(([, table]) => table));
  const left = [...found].filter((column) => !dropped.has(column.split('.')[0]));
  assert.deepEqual(left.sort(), [...sealed].sort());
});

/** Makes everything look as written by builds that knew one master key only. */
async function makeItOld(options: ReturnType<Engine['options']>): Promise<void> {
  const { run, close } = await connect(options);
  const version = options.databaseUrl === undefined ? "x'01'" : "'\\x01'::bytea";
  for (const { table, column, isText } of SEALED_COLUMNS) {
    if (table === 'own_secrets' || isText) continue;
    const rest = table === 'audit_heads' ? `substr(${column}, 10)` : `${version} || substr(${column}, 10)`;
    const value = options.databaseUrl === undefined ? `cast(${rest} as blob)` : rest;
    await run(`UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS NOT NULL`);
  }
  await run(
    `UPDATE endpoints SET address = '${HOOK_URL}' WHERE project_id IS NOT NULL AND id = 'whk' || substr(project_id, 5)`,
  );
  await run('DELETE FROM own_secrets');
  await run('DELETE FROM master_keys');
  await close();
}

onEveryEngine('A change of the master key', (engine) => {
  test('runs while two instances work, resumes after a failure, and then the old key is no longer needed', async () => {
    const first = await engine.open(BEFORE);
    const { testEnv, works } = await sealEverything(first);
    for (let n = 0; n < 250; n++) {
      await first.keys.insert({
        organizationId: testEnv.organizationId,
        projectId: null,
        userId: null,
        deviceId: null,
        name: `key ${n}`,
        permissions: [],
        expiresAtMs: null,
        key: makeKey(),
      });
    }
    const { keyId: oldId, values } = (await first.masterKeys.status())[0]!;
    assert.ok(values > 250);
    await first.close();

    const old = await engine.open(STILL_OLD);
    const fresh = await engine.open(ALREADY_NEW);
    await works(old);
    await works(fresh);
    await assert.rejects(engine.open(BEFORE), WRONG, 'one that cannot decrypt values of the new key');
    await works(old);

    await assert.rejects(
      fresh.masterKeys.reseal((place, count) => {
        if (place.startsWith('service keys') && count >= 100) throw new Error('killed');
      }),
      /killed/,
    );
    const halfWay = await fresh.masterKeys.status();
    assert.deepEqual(
      halfWay.map(({ role }) => role),
      ['current', 'previous'],
    );
    assert.equal(halfWay[1]?.keyId, oldId);
    assert.ok(
      halfWay.every(({ byColumn: places }) => (places['service keys and device credentials'] ?? 0) >= 100),
    );
    await works(old);
    await assert.rejects(engine.open(AFTER), WRONG, 'too early');

    const done = await fresh.masterKeys.reseal();
    assert.deepEqual([done.left, done.unreadable], [0, []]);
    assert.deepEqual((await fresh.masterKeys.reseal()).values, 0, 'nothing is left');
    assert.deepEqual(
      (await fresh.masterKeys.status()).map(({ role, values: count }) => [role, count > 0]),
      [
        ['current', true],
        ['previous', false],
      ],
    );
    await works(old);
    await fresh.masterKeys.reseal();
    await old.close();
    await fresh.close();

    const after = await engine.open(AFTER);
    assert.equal((await after.masterKeys.status()).length, 1, 'the old key is forgotten');
    assert.equal((await after.audit.verify(testEnv.organizationId)).valid, true);
    const { run, close } = await connect(engine.options());
    for (const { table, column } of SEALED_COLUMNS) {
      const rows = await run(`SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`);
      assert.ok(rows.length > 0, `${table}.${column} was not tested`);
      for (const { value } of rows) {
        const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : (value as Buffer);
        assert.equal(bytes.includes(Buffer.from(oldId, 'hex')), false, `${table}.${column}`);
      }
    }
    await close();
    await after.close();
    await assert.rejects(engine.open(BEFORE), WRONG, 'the old key alone decrypts nothing more');
    const message = await engine.open({ masterKey: K3 }).catch((error: Error) => error.message);
    assert.match(
      String(message),
      /needs key [0-9a-f]{16}, but [0-9a-f]{16} was given.*GATEWAY_MASTER_KEY_PREVIOUS/,
    );
  });

  test('values that an instance still encrypts with the old key are reported, and re-encrypted by the next call', async () => {
    const unaware = await engine.open({ masterKey: K2 });
    const old = await engine.open({ masterKey: K2, previousKeys: [K3] });
    const fresh = await engine.open({ masterKey: K3, previousKeys: [K2] });
    const counts = await fresh.masterKeys.reseal();
    assert.equal(counts.left, 0);
    assert.deepEqual(
      (await unaware.masterKeys.status()).map(({ role, values }) => [role, values > 0]),
      [
        ['current', false],
        ['unknown', true],
      ],
    );
    await unaware.close();
    const late = await createTestEnv(old);
    assert.ok((await fresh.masterKeys.status())[1]!.values > 0);
    await assert.rejects(engine.open({ masterKey: K3 }), WRONG);
    assert.equal((await fresh.masterKeys.reseal()).byColumn['service keys and device credentials'], 1);
    assert.equal((await fresh.keys.reveal(late.organizationId, late.keyId))?.plain, late.plainKey);
    await old.close();
    await fresh.close();
  });

  test('a tampered value is left unchanged and reported; the rest is re-encrypted', async () => {
    const fresh = await engine.open({ masterKey: K1, previousKeys: [K3] });
    const { run, close } = await connect(engine.options());
    const flip =
      engine.options().databaseUrl === undefined
        ? "cast(sealed || x'00' as blob)"
        : "sealed || '\\x00'::bytea";
    await run(`UPDATE keys SET sealed = ${flip} WHERE id = (SELECT min(id) FROM keys)`);
    const changed = (await run('SELECT min(id) AS id FROM keys'))[0]?.['id'];
    const done = await fresh.masterKeys.reseal();
    assert.deepEqual(done.unreadable, [{ column: 'service keys and device credentials', row: changed }]);
    assert.equal(done.left, 0);
    await run('DELETE FROM keys WHERE id = (SELECT min(id) FROM keys)');
    await close();
    await fresh.close();
  });

  test('an instance without the new key does not report the chain as broken', async () => {
    const lacking = await engine.open({ masterKey: K1 });
    const testEnv = await createTestEnv(lacking);
    await lacking.decisions.record(makeRecord(testEnv.organizationId));
    const fresh = await engine.open({ masterKey: K2, previousKeys: [K1] });
    await fresh.decisions.record(makeRecord(testEnv.organizationId));
    await assert.rejects(lacking.decisions.record(makeRecord(testEnv.organizationId)), WRONG);
    await assert.rejects(
      lacking.audit.append({
        organizationId: testEnv.organizationId,
        kind: 'key_created',
        actor: 'usr_a',
        subject: 'key_1',
        data: {},
      }),
      WRONG,
    );
    await fresh.decisions.record(makeRecord(testEnv.organizationId));
    assert.equal((await fresh.audit.verify(testEnv.organizationId)).valid, true);
    await lacking.close();
    await fresh.close();
  });
});

onEveryEngine("The service's own secrets", (engine) => {
  test('missing or changed own secrets are not replaced: they are reported, and nothing starts', async () => {
    await (await engine.open(BEFORE)).close();
    const { run, close } = await connect(engine.options());
    await run(
      "UPDATE own_secrets SET sealed = (SELECT sealed FROM own_secrets WHERE name = 'lookup') WHERE name = 'deviceConfig'",
    );
    await assert.rejects(
      engine.open(BEFORE),
      /own secret "deviceConfig" is missing from the database, or was changed/,
    );
    await run('DELETE FROM own_secrets');
    await assert.rejects(engine.open(BEFORE), /own secret "lookup" is missing/);
    assert.deepEqual(await run('SELECT * FROM own_secrets'), []);
    await close();
  });
});

onEveryEngine('A database from before keys had ids', (engine) => {
  test('opens with its key, is rejected with another, and can be changed over', async () => {
    await (await engine.open(BEFORE)).close();
    await makeItOld(engine.options());
    // Its secrets are derived from the key directly: new values look as if written by the earlier build.
    const before = await engine.open(BEFORE);
    const { testEnv, works } = await sealEverything(before);
    await before.close();
    await makeItOld(engine.options());

    await assert.rejects(engine.open(AFTER), WRONG);
    const same = await engine.open(BEFORE);
    await works(same);
    await same.close();
    const fresh = await engine.open(ALREADY_NEW);
    await works(fresh);
    assert.equal((await fresh.masterKeys.reseal()).left, 0);
    await fresh.close();
    const after = await engine.open(AFTER);
    await works(after);
    assert.equal((await after.audit.verify(testEnv.organizationId)).valid, true);
    await after.close();
  });
});
