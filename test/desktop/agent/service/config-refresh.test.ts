import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceConfig } from '@csg/shared/contract';
import { createConfigRefresh } from '../../../../apps/desktop/src/agent/service/config-refresh.ts';
import type { ConfigStore } from '../../../../apps/desktop/src/agent/service/device-config-store.ts';

type Outcome = Awaited<ReturnType<ConfigStore['refresh']>>;

const version = (name: string) => ({ policy_version: name }) as DeviceConfig;

/** A refresher whose store returns these outcomes in turn. */
function refreshOf(stored: DeviceConfig | null, outcomes: readonly Outcome[], retryMs = 1) {
  const applied: string[] = [];
  const reachable: boolean[] = [];
  const closing = new AbortController();
  const left = [...outcomes];
  let current = stored;
  const refresh = createConfigRefresh({
    client: { managedPolicy: async () => ({ kind: 'no-answer', reason: 'none' }) },
    configStore: {
      current: () => current,
      problem: () => null,
      async refresh() {
        const outcome = left.shift() ?? 'same';
        if (outcome === 'changed') current = version(`pv_${left.length}`);
        return outcome;
      },
    },
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
  const { refresh, applied, reachable } = refreshOf(version('stored'), ['no-answer', 'changed']);
  await refresh.applyStored();
  assert.equal(refresh.inUse()?.policy_version, 'stored');
  await refresh.refresh();
  await refresh.refresh();
  assert.deepEqual(applied, ['stored', 'stored', 'pv_0']);
  assert.deepEqual(reachable, [false, true]);
  assert.equal(refresh.inUse()?.policy_version, 'pv_0');
});

test('a configuration that is not genuine is never applied, and is requested again', async () => {
  const { refresh, applied, left } = refreshOf(version('stored'), ['not-genuine', 'changed']);
  await refresh.refresh();
  assert.deepEqual([applied, refresh.inUse()], [[], null]);
  // Without a live channel that reports the correction, the request repeats on its own.
  while (left.length > 0 || applied.length === 0) await new Promise(setImmediate);
  assert.deepEqual(applied, ['pv_0']);
  refresh.stop();
});

test('calls during a request cause one more request after it', async () => {
  const { refresh, applied, left } = refreshOf(null, ['changed', 'changed', 'changed']);
  await Promise.all([refresh.refresh(), refresh.refresh(), refresh.refresh()]);
  assert.deepEqual([applied, left.length], [['pv_2', 'pv_1'], 1]);
  await refresh.refresh();
  assert.equal(refresh.inUse()?.policy_version, 'pv_0');
});

test('the first configuration is requested until it arrives or the session is over', async () => {
  const arriving = refreshOf(null, ['no-answer', 'no-answer', 'changed']);
  await arriving.refresh.untilFirst();
  assert.deepEqual(arriving.applied, ['pv_0']);
  const closed = refreshOf(null, [], 60_000);
  const waiting = closed.refresh.untilFirst();
  closed.close();
  await waiting;
  assert.deepEqual(closed.applied, []);
});
