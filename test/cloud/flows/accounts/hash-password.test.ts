import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { hashPassword, verifyPassword } from '../../../../apps/cloud/src/flows/accounts/hash-password.ts';

const PASSWORD = 'correct horse battery staple';

test('makes a PHC string of Argon2id with the OWASP parameters, which verifies only its own password', async () => {
  const phc = await hashPassword(PASSWORD);
  const [, name, version, parameters, salt, hash] = phc.split('$');
  assert.deepEqual([name, version, parameters], ['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  const again = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce: Buffer.from(salt as string, 'base64'),
    parallelism: 1,
    tagLength: 32,
    memory: 19_456,
    passes: 2,
  });
  assert.equal(again.toString('base64').replace(/=+$/, ''), hash);
  assert.equal(await verifyPassword(PASSWORD, phc), true);
  assert.equal(await verifyPassword(`${PASSWORD} `, phc), false);
});

test('verifies a hash with the parameters that it was made with', async () => {
  const nonce = Buffer.alloc(16, 7);
  const tag = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce,
    parallelism: 2,
    tagLength: 24,
    memory: 8_192,
    passes: 1,
  });
  const phc = `$argon2id$v=19$m=8192,t=1,p=2$${nonce.toString('base64').replace(/=+$/, '')}$${tag.toString('base64')}`;
  assert.equal(await verifyPassword(PASSWORD, phc), true);
  assert.equal(await verifyPassword('another', phc), false);
});

test('treats equivalent Unicode spellings of a password as the same', async () => {
  const phc = await hashPassword('Ame\u0301lie liest Zeitung');
  assert.equal(await verifyPassword('Am\u00e9lie liest Zeitung', phc), true);
});

test('returns false for a missing or broken hash, at the cost of a real one', async () => {
  const phc = await hashPassword(PASSWORD);
  const hashes = { real: phc, none: null, broken: '$argon2id$broken' };
  const leastMs = { real: Infinity, none: Infinity, broken: Infinity };
  for (let round = 0; round < 5; round++) {
    for (const name of ['real', 'none', 'broken'] as const) {
      // Of all threads: hashes are computed on those of libuv.
      const before = process.cpuUsage();
      assert.equal(await verifyPassword('another', hashes[name]), false);
      const { user, system } = process.cpuUsage(before);
      leastMs[name] = Math.min(leastMs[name], (user + system) / 1000);
    }
  }
  // Without the work it is some thousandth, with other parameters a tenth or ten times as much.
  for (const ms of [leastMs.none, leastMs.broken])
    assert.ok(ms > leastMs.real / 4 && ms < leastMs.real * 4, JSON.stringify(leastMs));
});

test('runs few hashes concurrently, queues more, and rejects the rest with Retry-After', async () => {
  const settled = await Promise.allSettled(Array.from({ length: 80 }, () => verifyPassword('x', null)));
  const refused = settled.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 80 - 2 - 64);
  const [{ reason }] = refused as [PromiseRejectedResult];
  assert.ok(reason instanceof CodedError);
  assert.equal(reason.code, 'service_unavailable');
  assert.equal(reason.headers['Retry-After'], '2');
  assert.equal(await verifyPassword('x', null), false, 'afterwards there is capacity again');
});
