import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { UpdateState } from '../../../apps/desktop/src/bridge/window-bridge.ts';
import { type Updater, watchUpdates } from '../../../apps/desktop/src/main/watch-updates.ts';

/** Stands in for electron-updater, which needs Electron. */
function standInUpdater() {
  const calls: unknown[] = [];
  const updater = Object.assign(new EventEmitter(), {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: true,
    disableWebInstaller: false,
    setFeedURL: (feed: unknown) => calls.push(feed),
    checkForUpdates: async () => {
      calls.push('check');
      return null;
    },
    quitAndInstall: () => calls.push('install'),
  });
  return { calls, emitter: updater as EventEmitter, updater: updater as unknown as Updater };
}

test('a build without a feed is never updated', () => {
  const watch = watchUpdates(null, { url: null, everyMs: 1_000, onChange: () => assert.fail() });
  assert.deepEqual(watch.state(), { kind: 'off' });
  watch.install();
  watch.end();
});

test('found, downloaded, installed; a failing feed is reported as a message', () => {
  const { calls, emitter, updater } = standInUpdater();
  const states: UpdateState[] = [];
  const watch = watchUpdates(updater, {
    url: 'https://updates.example.com/',
    everyMs: 60_000,
    onChange: (state) => states.push(state),
  });
  assert.deepEqual(calls, [{ provider: 'generic', url: 'https://updates.example.com/' }, 'check']);
  emitter.emit('update-available', { version: '2.0.0' });
  emitter.emit('update-downloaded', { version: '2.0.0' });
  assert.deepEqual(watch.state(), { kind: 'ready', version: '2.0.0' });
  watch.install();
  assert.equal(calls.at(-1), 'install');
  emitter.emit('error', new Error('net::ERR\n    at stack'));
  assert.deepEqual(states.at(-1), {
    kind: 'failed',
    reason: 'Checking for updates failed (net::ERR).',
  });
  watch.end();
});
