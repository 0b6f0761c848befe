import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { createConfigStore } from '../../../../apps/desktop/src/agent/service/device-config-store.ts';
import { type Journal, openJournal } from '../../../../apps/desktop/src/journal/open-journal.ts';
import { openLoopbackService } from '../../../support/desktop/loopback-service.ts';
import { ENROLLMENT, signedConfig } from '../../../support/desktop/signed-config.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function emptyJournal(): Journal {
  const file = path.join(tempFolder('config'), 'journal.sqlite');
  const journal = openJournal({ file, maxEvents: 10, nowMs: 0 });
  after(() => journal.close());
  return journal;
}

async function openStore(journal = emptyJournal()) {
  const tags: (string | undefined)[] = [];
  /** Undefined: the service fails; null: unchanged. */
  let next: string | null | undefined;
  const client = await openLoopbackService((request) => {
    tags.push(request.headers['if-none-match']);
    if (next === undefined) return { status: 503 };
    const headers = { etag: '"tag"' };
    return next === null ? { status: 304, headers } : { status: 200, headers, body: next };
  });
  const own = createConfigStore(ENROLLMENT, journal, client);
  const receive = (text: string | null) => {
    next = text;
    return own.refresh();
  };
  return { own, tags, receive, journal };
}

test('uses the newest genuine one and stores it for the next start', async () => {
  const { own, receive, journal, tags } = await openStore();
  assert.equal(await own.refresh(), 'no-answer');
  assert.equal(own.current(), null);
  assert.equal(await receive(signedConfig('pv_1', 1)), 'changed');
  assert.equal(await receive(signedConfig('pv_1', 2)), 'same');
  assert.equal(await receive(null), 'same');
  assert.deepEqual(tags, [undefined, undefined, '"tag"', '"tag"']);
  const next = await openStore(journal);
  assert.equal(next.own.current()?.policy_version, 'pv_1');
  await next.receive(null);
  assert.deepEqual(next.tags, ['"tag"']);
});

test('rejects one that is tampered with, older or another device’s, keeps the current one and says why', async () => {
  const { own, receive } = await openStore();
  await receive(signedConfig('pv_2', 2));
  for (const text of [
    signedConfig('pv_1', 1),
    signedConfig('pv_3', 3).replace('enforce', 'monitor'),
    signedConfig('pv_3', 3, 'dev_2'),
  ]) {
    assert.equal(await receive(text), 'not-genuine');
    assert.equal(own.current()?.policy_version, 'pv_2');
    assert.ok(own.problem()?.endsWith('so it was not used.'));
  }
  await receive(signedConfig('pv_4', 4));
  assert.equal(own.problem(), null);
});

test('rejects a cached one that was changed on disk', async () => {
  const journal = emptyJournal();
  journal.saveConfig({ text: signedConfig('pv_1', 1).replace('pv_1', 'pv_9'), etag: '"tag"' });
  const { own, receive, tags } = await openStore(journal);
  assert.equal(own.current(), null);
  assert.match(own.problem() ?? '', /not signed/);
  assert.equal(await receive(signedConfig('pv_1', 1)), 'changed');
  assert.deepEqual(tags, [undefined], 'it is requested as a whole');
});
