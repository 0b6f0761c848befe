import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidationError } from '@csg/shared/contract';
import { checkTarget } from '../../../apps/cloud/src/outbound/check-target.ts';
import type { Resolve } from '../../../apps/cloud/src/outbound/resolve-checked.ts';

const resolve = (...addresses: string[]): { resolve: Resolve } => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

/** Why an address is denied, with the field that it was entered in. */
async function denied(url: string, rules: { resolve?: Resolve } = {}): Promise<unknown> {
  const error = await checkTarget('webhook_url', url, rules).then(
    () => assert.fail(`${url} is allowed`),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ValidationError, String(error));
  assert.deepEqual(error.detail[0]?.loc, ['body', 'webhook_url']);
  return (error.detail[0]?.ctx as { reason?: unknown } | undefined)?.reason;
}

test('a URL whose name resolves to a private address is denied at its field', async () => {
  assert.equal(await denied('https://inner.example.com/hook', resolve('10.0.0.7')), 'private_address');
  const mixed = resolve('93.184.215.14', '::1');
  assert.equal(await denied('https://mixed.example.com/hook', mixed), 'private_address');
  assert.equal(await denied('https://10.0.0.7/hook'), 'private_address');
  assert.equal(await denied('https://localhost/hook'), 'private_name');
});

test('a URL that can be reached is allowed; http and an unknown name are warnings', async () => {
  const reachable = resolve('93.184.215.14');
  assert.deepEqual(await checkTarget('url', 'https://hooks.example.com/a', reachable), []);
  const [warning, ...more] = await checkTarget('url', 'http://hooks.example.com/a', reachable);
  assert.match(warning ?? '', /http/);
  assert.deepEqual(more, []);
  const unknown = await checkTarget('url', 'https://hooks.example.com/a', {
    resolve: () => Promise.reject(new Error('ENOTFOUND')),
  });
  assert.match(unknown.join(), /could not be resolved/);
});
