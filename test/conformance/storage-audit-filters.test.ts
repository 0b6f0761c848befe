import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { AuditQuery } from '../../apps/cloud/src/storage/model/audit.ts';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { makeRecord, NOON, onEveryEngine } from './storage-engines.ts';

const ORGANIZATION = 'org_filters';
const HOUR_MS = 3_600_000;
const OFFICE = '192.0.2.10';
const HOME = '2001:db8::5';

/** Who did what from where, in the order of the rows; one of every second hour, and the fifth with a late clock. */
const ACTS = [
  { actor: 'usr_ada', kind: 'key_created', from: OFFICE, hour: 0 },
  { actor: 'usr_noor', kind: 'key_created', from: HOME, hour: 2 },
  { actor: 'usr_ada', kind: 'project_changed', from: HOME, hour: 4 },
  { actor: 'system', kind: 'events_deleted', from: null, hour: 6 },
  { actor: 'usr_ada', kind: 'key_created', from: OFFICE, hour: 3 },
];

onEveryEngine('Filters of the audit log', (engine) => {
  let storage: Storage;
  before(async () => {
    storage = await engine.open();
    for (const { actor, kind, from, hour } of ACTS) {
      await storage.decisions.record(makeRecord(ORGANIZATION));
      const entry = { organizationId: ORGANIZATION, kind, actor, subject: 'x', data: {} };
      const append = () =>
        storage.transaction(({ audit }) => audit.append({ ...entry, atMs: NOON + hour * HOUR_MS }));
      await (from === null ? append() : storage.audit.from(from, append));
    }
  });

  /** Places in the list of acts. */
  const found = async (query: AuditQuery) => {
    const { rows, next } = await storage.audit.page(ORGANIZATION, query);
    return [rows.map(({ seq }) => seq / 2 - 1), next === null ? null : next / 2 - 1];
  };
  const fromMs = NOON + 2 * HOUR_MS;
  const toMs = NOON + 6 * HOUR_MS;

  test('by person, kind and time return changes, newest first by their time', async () => {
    const only = 'changes';
    assert.deepEqual(await found({ only }), [[3, 2, 4, 1, 0], null]);
    assert.deepEqual(await found({ only, actor: 'usr_ada' }), [[2, 4, 0], null]);
    assert.deepEqual(await found({ kind: 'key_created' }), [[4, 1, 0], null]);
    assert.deepEqual(await found({ only, fromMs, toMs }), [[2, 4, 1], null]);
    assert.deepEqual(await found({ only, actor: 'usr_ada', kind: 'key_created', fromMs, toMs }), [[4], null]);
    assert.deepEqual(await found({ only, actor: 'usr_ada', fromMs, toMs }), [[2, 4], null]);
    assert.deepEqual(await found({ only, kind: 'key_created', fromMs, toMs }), [[4, 1], null]);
  });

  test('by address return what was done from there, and no job', async () => {
    assert.deepEqual(await found({ address: OFFICE }), [[4, 0], null]);
    assert.deepEqual(await found({ address: HOME, actor: 'usr_ada' }), [[2], null]);
    assert.deepEqual(await found({ address: OFFICE, fromMs, toMs }), [[4], null]);
    assert.deepEqual(await found({ address: OFFICE, kind: 'key_created', limit: 1 }), [[4], 4]);
    assert.deepEqual(await found({ address: OFFICE, before: 10 }), [[0], null]);
    const { rows } = await storage.audit.page(ORGANIZATION, { only: 'changes' });
    assert.deepEqual(
      rows.map(({ address }) => address),
      [null, HOME, OFFICE, HOME, OFFICE],
    );
  });

  test('continue after the last row of a page, also of a page with equal or late times', async () => {
    const only = 'changes';
    const seen: number[] = [];
    for (let before: number | undefined; ; ) {
      const { rows, next } = await storage.audit.page(ORGANIZATION, {
        ...{ only, limit: 2 },
        ...(before === undefined ? {} : { before }),
      });
      seen.push(...rows.map(({ seq }) => seq / 2 - 1));
      if (next === null) break;
      before = next;
    }
    assert.deepEqual(seen, [3, 2, 4, 1, 0]);
    for (const more of [{ actor: 'usr_ada' }, { kind: 'key_created' }])
      assert.deepEqual(await found({ only, ...more, before: 10 }), [more.kind ? [1, 0] : [0], null]);
    assert.deepEqual(await found({ only, before: 1_000 }), [[4, 1, 0], null]);
  });

  test('forget the addresses of an erased person, and the chain stays valid', async () => {
    const person = await storage.users.insert({ email: `gone-${engine.name}@example.com` });
    const entry = { organizationId: ORGANIZATION, kind: 'signed_in', subject: 'x', data: {} };
    for (const erase of [storage.erasures.eraseUser, storage.users.remove]) {
      await storage.audit.from(OFFICE, () => storage.audit.append({ ...entry, actor: person.id }));
      await erase(person.id);
      const { rows } = await storage.audit.page(ORGANIZATION, { actor: person.id, only: 'changes' });
      assert.deepEqual([...new Set(rows.map(({ address }) => address))], [null]);
    }
    assert.equal((await storage.audit.verify(ORGANIZATION)).valid, true);
  });

  test('end with the addresses that are old, and the chain stays valid', async () => {
    await storage.audit.pruneAddresses(NOON + 3 * HOUR_MS);
    assert.deepEqual(await found({ address: OFFICE }), [[4], null]);
    assert.deepEqual(await found({ address: HOME }), [[2], null]);
    assert.deepEqual((await found({ only: 'changes', kind: 'key_created' }))[0], [4, 1, 0]);
    assert.equal((await storage.audit.verify(ORGANIZATION)).valid, true);
  });
});
