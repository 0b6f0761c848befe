import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AddressDenied } from '../../../apps/cloud/src/outbound/address-denied.ts';
import { checkUrl } from '../../../apps/cloud/src/outbound/check-url.ts';
import { type Resolve, resolveChecked } from '../../../apps/cloud/src/outbound/resolve-checked.ts';

const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('resolveChecked', () => {
  it('returns all addresses of a public name, in order', async () => {
    const resolve = answers('2606:4700::1111', '8.8.8.8');
    assert.deepEqual(await resolveChecked('example.com', { resolve }), [
      { address: '2606:4700::1111', family: 6 },
      { address: '8.8.8.8', family: 4 },
    ]);
  });

  it('checks literal addresses without the resolver', async () => {
    const resolve = (): never => assert.fail('the resolver was asked');
    await assert.rejects(resolveChecked('[::1]', { resolve }), { reason: 'private_address' });
    assert.deepEqual(await resolveChecked('8.8.8.8', { resolve }), [{ address: '8.8.8.8', family: 4 }]);
  });

  it('denies what the system resolver makes of odd spellings', async () => {
    for (const host of ['0x7f.1', '2130706433', '127.1', 'localhost']) {
      await assert.rejects(resolveChecked(host), AddressDenied, host);
    }
  });
});

const shared = join(process.env['CSG_SHARED_DIR'] ?? '../shared', 'data/hostile/ssrf-urls.jsonl');
describe('the shared list of hostile addresses', { skip: !existsSync(shared) && 'it is not here' }, () => {
  it('has no name that is allowed once it resolves to an inner address', async () => {
    const resolve = answers('169.254.169.254');
    for (const line of readFileSync(shared, 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as { url: string; expect: string };
      const checked = checkUrl(row.url);
      if (row.expect !== 'resolve' || !checked.ok) continue;
      await assert.rejects(
        resolveChecked(checked.url.hostname, { resolve }),
        { reason: 'private_address' },
        row.url,
      );
    }
  });
});
