import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { ElectronParts } from '../../../apps/desktop/src/main/electron-parts.ts';
import { isOwnPage, lockDown } from '../../../apps/desktop/src/main/lock-down.ts';

interface Asked {
  permission?: (contents: unknown, permission: string, answer: (is: boolean) => void) => void;
  check?: () => boolean;
  request?: (details: { url: string }, answer: (is: { cancel: boolean }) => void) => void;
  serve?: (request: { url: string }) => Response;
}

/** The handlers given to Electron, for the test to call. */
function locked(): { app: EventEmitter; asked: Required<Asked> } {
  const app = new EventEmitter();
  const asked: Asked = {};
  const parts = {
    app,
    protocol: {
      handle: (_scheme: string, serve: Asked['serve']) => Object.assign(asked, { serve }),
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (permission: Asked['permission']) =>
          Object.assign(asked, { permission }),
        setPermissionCheckHandler: (check: Asked['check']) => Object.assign(asked, { check }),
        webRequest: { onBeforeRequest: (request: Asked['request']) => Object.assign(asked, { request }) },
      },
    },
  };
  lockDown(parts as unknown as ElectronParts, '/nonexistent');
  return { app, asked: asked as Required<Asked> };
}

test('pages have no permissions, load nothing from other sites and cannot navigate', () => {
  const { app, asked } = locked();
  const answers: unknown[] = [];
  asked.permission(null, 'geolocation', (is) => answers.push(is));
  answers.push(asked.check());
  assert.deepEqual(answers, [false, false]);
  const cancelled = (url: string): boolean => {
    let isCancelled = false;
    asked.request({ url }, ({ cancel }) => {
      isCancelled = cancel;
    });
    return isCancelled;
  };
  assert.equal(cancelled('csg-window://app/index.html'), false);
  for (const url of [
    'https://example.com/',
    'file:///etc/passwd',
    'csg-window://application/',
    'data:text/html,x',
  ]) {
    assert.equal(cancelled(url), true, url);
  }
  assert.equal(asked.serve({ url: 'csg-window://app/nothing.js' }).status, 404);
  let open: (() => { action: string }) | undefined;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: typeof open) => {
      open = handler;
    },
  });
  app.emit('web-contents-created', {}, contents);
  let prevented = 0;
  const event = { preventDefault: () => prevented++ };
  contents.emit('will-navigate', event);
  contents.emit('will-attach-webview', event);
  assert.equal(prevented, 2);
  assert.deepEqual(open?.(), { action: 'deny' });
});

test('recognizes the window’s own page', () => {
  assert.equal(isOwnPage('csg-window://app/#/'), true);
  for (const url of [
    undefined,
    '',
    'csg-window://app',
    'csg-window://app.evil/',
    'https://x/csg-window://app/',
  ]) {
    assert.equal(isOwnPage(url), false, String(url));
  }
});
