import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trayMenu } from '../../../apps/desktop/src/main/tray-menu.ts';

test('the state is the first line, and quitting says what it does', () => {
  const view = { kind: 'protected', title: 'Protected', sentence: '' } as const;
  const menu = trayMenu(view, { isEnrolled: true, endsAgent: true });
  assert.deepEqual(menu[0], { kind: 'text', label: 'Protected' });
  assert.deepEqual(menu.at(-1), { kind: 'quit', label: 'Quit and stop protecting' });
  const beside = trayMenu(view, { isEnrolled: true, endsAgent: false });
  assert.deepEqual(beside.at(-1), { kind: 'quit', label: 'Quit' }, 'an agent of somebody else goes on');
  assert.ok(menu.some((entry) => entry.kind === 'page' && entry.page === '#/requests'));
});

test('before enrollment there is one thing to do', () => {
  const menu = trayMenu(
    { kind: 'unprotected', title: 'Not enrolled', sentence: '' },
    { isEnrolled: false, endsAgent: false },
  );
  const pages = menu.flatMap((entry) => (entry.kind === 'page' ? [entry.page] : []));
  assert.deepEqual(pages, ['#/enroll', '#/diagnosis']);
});
