import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { createConfigRefresh } from '../../../../apps/desktop/src/agent/service/config-refresh.ts';
import {
  createConfigStore,
  type RefreshOutcome,
} from '../../../../apps/desktop/src/agent/service/device-config-store.ts';
import { openJournal } from '../../../../apps/desktop/src/journal/open-journal.ts';
import { openLoopbackService, type ServiceReply } from '../../../support/desktop/loopback-service.ts';
import { ENROLLMENT, signedConfig } from '../../../support/desktop/signed-config.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A refresher whose service responds for these outcomes in turn. */
async function refreshOf(stored: string | null, outcomes: readonly RefreshOutcome[], retryMs = 1) {
  const applied: string[] = [];
  const reachable: boolean[] = [];
  const closing = new AbortController();
  const left = [...outcomes];
  const journal = openJournal({
    file: path.join(tempFolder('refresh'), 'journal.sqlite'),
    maxEvents: 10,
    nowMs: 0,
  });
  after(() => journal.close());
  if (stored !== null) journal.saveConfig({ text: signedConfig(stored, 1), etag: null });
  let day = 2;
  const replyFor = (outcome: RefreshOutcome): ServiceReply => {
    const config = signedConfig(`pv_${left.length}`, day++);
    if (outcome === 'changed') return { status: 200, body: config };
    if (outcome === 'not-genuine') return { status: 200, body: config.replace('enforce', 'monitor') };
    return { status: outcome === 'same' ? 304 : 503 };
  };
  const client = await openLoopbackService(({ url }) =>
    url === '/api/v1/devices/config' ? replyFor(left.shift() ?? 'same') : { status: 503 },
  );
  const refresh = createConfigRefresh({
    client,
    configStore: createConfigStore(ENROLLMENT, journal, client),
    retryMs,
    onConfig: async ({ policy_version }) => void applied.push(policy_version),
    onReachable: (isReachable) => reachable.push(isReachable),
    onChange: () => {},
    isOver: () => closing.signal.aborted,
    signal: closing.signal,
  });
  return { refresh, applied, reachable, left, close: () => closing.abort() };
}

test('the stored configuration is applied first, then the one from the service', async () => {
  const { refresh, applied, reachable } = await refreshOf('stored', ['no-answer', 'changed']);
  await refresh.applyStored();
  assert.equal(refresh.inUse()?.policy_version, 'stored');
  await refresh.refresh();
  await refresh.refresh();
  assert.deepEqual(applied, ['stored', 'stored', 'pv_0']);
  assert.deepEqual(reachable, [false, true]);
  assert.equal(refresh.inUse()?.policy_version, 'pv_0');
});

test('a configuration that is not genuine is never applied, and is requested again', async () => {
  const { refresh, applied, left } = await refreshOf('stored', ['not-genuine', 'changed']);
  await refresh.refresh();
  assert.deepEqual([applied, refresh.inUse()], [[], null]);
  // Without a live channel that reports the correction, the request repeats on its own.
  while (left.length > 0 || applied.length === 0) await new Promise(setImmediate);
  assert.deepEqual(applied, ['pv_0']);
  refresh.stop();
});

test('calls during a request cause one more request after it', async () => {
  const { refresh, applied, left } = await refreshOf(null, ['changed', 'changed', 'changed']);
  await Promise.all([refresh.refresh(), refresh.refresh(), refresh.refresh()]);
  assert.deepEqual([applied, left.length], [['pv_2', 'pv_1'], 1]);
  await refresh.refresh();
  assert.equal(refresh.inUse()?.policy_version, 'pv_0');
});

test('the first configuration is requested until it arrives or the session is over', async () => {
  const arriving = await refreshOf(null, ['no-answer', 'no-answer', 'changed']);
  await arriving.refresh.untilFirst();
  assert.deepEqual(arriving.applied, ['pv_0']);
  const closed = await refreshOf(null, [], 60_000);
  const waiting = closed.refresh.untilFirst();
  closed.close();
  await waiting;
  assert.deepEqual(closed.applied, []);
});
