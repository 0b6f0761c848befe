import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProtectionKind } from '../../../apps/desktop/src/bridge/protection-view.ts';
import { createStateNotices } from '../../../apps/desktop/src/main/state-notices.ts';

const view = (kind: ProtectionKind, sentence = '') => ({ kind, title: kind, sentence });

test('lost protection is notified once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shown: string[] = [];
  const notices = createStateNotices(10_000, ({ body }) => shown.push(body));
  notices.update(view('protected'), true);
  notices.update(view('unprotected', 'The proxy keeps failing.'), true);
  notices.update(view('unprotected', 'The proxy keeps failing.'), true);
  t.mock.timers.tick(9_999);
  assert.deepEqual(shown, []);
  t.mock.timers.tick(1);
  notices.update(view('unprotected', 'The proxy keeps failing.'), true);
  t.mock.timers.tick(60_000);
  assert.deepEqual(shown, ['The proxy keeps failing.']);
  notices.update(view('paused'), true);
  notices.update(view('unprotected', 'Again.'), true);
  t.mock.timers.tick(10_000);
  assert.deepEqual(shown, ['The proxy keeps failing.', 'Again.']);
  notices.end();
});

test('a restart, a first start and a removal are not notified', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const notices = createStateNotices(10_000, () => assert.fail('unexpected notification'));
  notices.update(view('unprotected'), true);
  t.mock.timers.tick(60_000);
  notices.update(view('attention'), true);
  notices.update(view('unprotected'), true);
  t.mock.timers.tick(60_000);
  notices.update(view('protected'), true);
  notices.update(view('unprotected'), true);
  t.mock.timers.tick(5_000);
  notices.update(view('attention'), true);
  notices.update(view('protected'), true);
  notices.update(view('unprotected'), false);
  t.mock.timers.tick(60_000);
  notices.update(view('protected'), true);
  notices.update(view('unprotected'), true);
  notices.end();
  notices.update(view('unprotected'), true);
  t.mock.timers.tick(60_000);
});
