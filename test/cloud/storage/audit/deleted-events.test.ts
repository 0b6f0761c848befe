import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  EVENTS_DELETED_KIND,
  readDeletedEvents,
} from '../../../../apps/cloud/src/storage/audit/deleted-events.ts';
import { openSqliteEngine } from '../../../../apps/cloud/src/storage/engines/sqlite-engine.ts';
import { writeEmptyDatabase } from '../../../support/empty-database.ts';

describe('deleted events in the audit chain', () => {
  let folder: string;
  let engine: Awaited<ReturnType<typeof openSqliteEngine>>;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'csg-deleted-'));
    await writeEmptyDatabase(folder);
    engine = await openSqliteEngine(path.join(folder, 'gateway.sqlite'));
  });
  after(async () => {
    await engine.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => engine.db.deleteFrom('audit_rows').execute());

  async function add(seq: number, data: string, organization = 'org', kind = EVENTS_DELETED_KIND) {
    await engine.db
      .insertInto('audit_rows')
      .values({
        organization_id: organization,
        seq,
        at_ms: 1,
        kind,
        actor: 'system',
        subject: '',
        data,
        prev_hash: Buffer.alloc(32),
        hash: Buffer.alloc(32),
      })
      .execute();
  }
  const deletion = (beforeMs: unknown, ...projects: unknown[]) =>
    JSON.stringify({ before_ms: beforeMs, project_ids: projects });
  const deleted = () => readDeletedEvents(engine.db, 'org');

  test('an event may be missing if a later row names its project and a later time', async () => {
    await add(10, deletion(1_000, 'a'));
    const { has } = await deleted();
    assert.equal(has(9, 'a', 999), true);
    assert.equal(has(9, 'a', 1_000), false, 'events of that very time stay');
    assert.equal(has(9, 'b', 999), false, 'another project');
    assert.equal(has(9, null, 999), false, 'no project');
    assert.equal(has(10, 'a', 999), false, 'the row of the deletion itself');
    assert.equal(has(11, 'a', 999), false, 'recorded after the deletion');
  });

  test('events without a project are deleted with the others', async () => {
    await add(10, deletion(1_000, 'a', null));
    const { has } = await deleted();
    assert.equal(has(9, null, 999), true);
    assert.equal(has(9, 'a', 999), true);
  });

  test('the latest time of several later rows applies, whatever their order', async () => {
    await add(10, deletion(3_000, 'a'));
    await add(20, deletion(1_000, 'a'));
    await add(30, deletion(2_000, 'a'));
    const { has } = await deleted();
    assert.equal(has(9, 'a', 2_999), true);
    assert.equal(has(9, 'a', 3_000), false);
    for (const seq of [10, 19, 20, 29]) {
      assert.equal(has(seq, 'a', 1_999), true, `after row ${seq}`);
      assert.equal(has(seq, 'a', 2_000), false, `after row ${seq}`);
    }
    assert.equal(has(30, 'a', 1), false);
  });

  test('rows that were changed, of other kinds or of other organizations have no effect', async () => {
    await add(10, 'not JSON');
    await add(11, deletion('1000', 'a'));
    await add(12, '{"before_ms":1000,"project_ids":"a"}');
    await add(13, deletion(1_000, 'a'), 'another');
    await add(14, deletion(1_000, 'a'), 'org', 'policy_changed');
    const { has } = await deleted();
    assert.equal(has(9, 'a', 1), false);
    await add(15, deletion(1_000, 'a'));
    assert.equal((await deleted()).has(9, 'a', 1), true, 'the readable one still counts');
  });
});
