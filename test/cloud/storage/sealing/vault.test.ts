import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSealer } from '../../../../apps/cloud/src/storage/sealing/sealer.ts';
import { createVault, derivedSecrets } from '../../../../apps/cloud/src/storage/sealing/vault.ts';

const sealer = createSealer({ current: Buffer.alloc(32, 9), previous: [] });
const open = (byte: number) => createVault(sealer, derivedSecrets(Buffer.alloc(32, byte)));

test('the same secrets give the same hashes and signing key at every start, others do not', () => {
  const [vault, again, other] = [open(1), open(1), open(2)];
  assert.deepEqual(vault.lookupHash('x'), again.lookupHash('x'));
  assert.notDeepEqual(vault.lookupHash('x'), vault.lookupHash('y'));
  assert.notDeepEqual(vault.lookupHash('x'), other.lookupHash('x'));
  assert.equal(vault.signingKeyId, again.signingKeyId);
  assert.notEqual(vault.signingKeyId, other.signingKeyId);
});

test('every purpose has a secret of its own', () => {
  const { lookup, auditCheckpoint, deviceConfig } = derivedSecrets(Buffer.alloc(32, 1));
  assert.equal(new Set([lookup, auditCheckpoint, deviceConfig].map((one) => one.toString('hex'))).size, 3);
});
