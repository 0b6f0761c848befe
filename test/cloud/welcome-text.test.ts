import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { welcomeText } from '../../apps/cloud/src/welcome-text.ts';
import { startGateway } from '../support/gateway.ts';

test('a first start shows the URL, the key and a command that can be pasted', () => {
  const text = welcomeText({
    address: 'http://127.0.0.1:8787',
    firstKey: 'svc_live_abcdefgh_x',
    dashboard: 'http://127.0.0.1:8787/dashboard/',
    setUp: 'http://127.0.0.1:8787/dashboard/set-up?token=abc',
    color: false,
  });
  assert.match(text, /running at http:\/\/127\.0\.0\.1:8787/);
  assert.match(text, /svc_live_abcdefgh_x/);
  assert.match(text, /\/dashboard\/set-up\?token=abc\n/);
  assert.match(text, /curl -s http:\/\/127\.0\.0\.1:8787\/api\/v1\/security\/scan/);
  assert.ok(!text.includes('\u001b'), 'no color unless requested');
});

test('a later start shows no key', () => {
  const text = welcomeText({
    address: 'http://127.0.0.1:8787',
    firstKey: null,
    dashboard: 'http://127.0.0.1:8787/dashboard/',
    setUp: null,
    color: false,
  });
  assert.match(text, /http:\/\/127\.0\.0\.1:8787\/dashboard\/\n/);
  assert.ok(!text.includes('set-up'));
  assert.ok(!text.includes('svc_live_'));
});

test('the printed command works in a shell, with the key and with the variable', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  for (const firstKey of [gateway.key, null]) {
    const text = welcomeText({
      ...{ address: gateway.address, firstKey, dashboard: '', setUp: null, color: false },
    });
    const [command = ''] = /curl -s [\s\S]*?\n\n/.exec(text) ?? [];
    const env = { PATH: process.env['PATH'], ...(firstKey === null ? { SERVICE_KEY: gateway.key } : {}) };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
    assert.match(stdout, /"blocked"|"block"/, command);
  }
});
