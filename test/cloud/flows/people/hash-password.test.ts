import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { hashPassword } from '../../../../apps/cloud/src/flows/people/hash-password.ts';

test('a PHC string of Argon2id with OWASP parameters, that its own password opens', async () => {
  const phc = await hashPassword('correct horse battery staple');
  const [, name, version, parameters, salt, hash] = phc.split('$');
  assert.deepEqual([name, version, parameters], ['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  const again = argon2Sync('argon2id', {
    message: 'correct horse battery staple',
    nonce: Buffer.from(salt as string, 'base64'),
    parallelism: 1,
    tagLength: 32,
    memory: 19_456,
    passes: 2,
  });
  assert.equal(again.toString('base64').replace(/=+$/, ''), hash);
});
