import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProtectionKind } from '../../../apps/desktop/src/bridge/protection-view.ts';
import { createStateNotices } from '../../../apps/desktop/src/main/state-notices.ts';

const view = (kind: ProtectionKind, sentence = '') => ({ kind, title: kind, sentence });

test('protection that is gone and stays gone is told once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: string[] = [];
  const notices = createStateNotices(10_000, ({ body }) => told.push(body));
  notices.see(view('protected'), true);
  notices.see(view('unprotected', 'The proxy keeps failing.'), true);
  notices.see(view('unprotected', 'The proxy keeps failing.'), true);
  t.mock.timers.tick(9_999);
  assert.deepEqual(told, []);
  t.mock.timers.tick(1);
  notices.see(view('unprotected', 'The proxy keeps failing.'), true);
  t.mock.timers.tick(60_000);
  assert.deepEqual(told, ['The proxy keeps failing.']);
  notices.see(view('paused'), true);
  notices.see(view('unprotected', 'Again.'), true);
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, ['The proxy keeps failing.', 'Again.']);
  notices.end();
});

test('a restart, a first start and a removal are no news', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const notices = createStateNotices(10_000, () => assert.fail('nothing had to be told'));
  notices.see(view('unprotected'), true);
  t.mock.timers.tick(60_000);
  notices.see(view('attention'), true);
  notices.see(view('unprotected'), true);
  t.mock.timers.tick(60_000);
  notices.see(view('protected'), true);
  notices.see(view('unprotected'), true);
  t.mock.timers.tick(5_000);
  notices.see(view('attention'), true);
  notices.see(view('protected'), true);
  notices.see(view('unprotected'), false);
  t.mock.timers.tick(60_000);
  notices.see(view('protected'), true);
  notices.see(view('unprotected'), true);
  notices.end();
  notices.see(view('unprotected'), true);
  t.mock.timers.tick(60_000);
});
