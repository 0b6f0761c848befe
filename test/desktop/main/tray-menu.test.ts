import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trayMenu } from '../../../apps/desktop/src/main/tray-menu.ts';

test('the state is the first line, and the quit item states its effect', () => {
  const view = { kind: 'protected', title: 'Protected', sentence: '' } as const;
  const menu = trayMenu(view, { isEnrolled: true, endsAgent: true });
  assert.deepEqual(menu[0], { kind: 'text', label: 'Protected' });
  assert.deepEqual(menu.at(-1), { kind: 'quit', label: 'Quit and stop protection' });
  const foreign = trayMenu(view, { isEnrolled: true, endsAgent: false });
  assert.deepEqual(
    foreign.at(-1),
    { kind: 'quit', label: 'Quit' },
    'an agent that the app did not start keeps running',
  );
  assert.ok(menu.some((entry) => entry.kind === 'page' && entry.page === '#/requests'));
});

test('before enrollment the menu offers only enrollment and diagnostics', () => {
  const menu = trayMenu(
    { kind: 'unprotected', title: 'Not enrolled', sentence: '' },
    { isEnrolled: false, endsAgent: false },
  );
  const pages = menu.flatMap((entry) => (entry.kind === 'page' ? [entry.page] : []));
  assert.deepEqual(pages, ['#/enroll', '#/diagnosis']);
});
