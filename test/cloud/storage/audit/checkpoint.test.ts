import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkpointToLine,
  isGenuine,
  lineToCheckpoint,
  signCheckpoint,
} from '../../../../apps/cloud/src/storage/audit/checkpoint.ts';
import { createSealer } from '../../../../apps/cloud/src/storage/sealing/sealer.ts';
import { createVault } from '../../../../apps/cloud/src/storage/sealing/vault.ts';
import { MASTER_KEY } from '../../../conformance/storage-engines.ts';

const openVault = (seed: number) => {
  const secret = Buffer.alloc(32, seed);
  return createVault(createSealer({ current: MASTER_KEY, previous: [] }), {
    ...{ lookup: secret, auditCheckpoint: secret, deviceConfig: secret },
  });
};
const vault = openVault(1);
const signed = signCheckpoint(vault, {
  ...{ organizationId: 'org_a', number: 2, seq: 40, hash: 'ab'.repeat(32), atMs: 5, fileId: 'ckf_1' },
});

test('a checkpoint is genuine as it was signed, and with no field changed', () => {
  assert.equal(isGenuine(signed, vault), true);
  assert.equal(isGenuine(signed, openVault(2)), false);
  const { signature } = signed;
  const changes = [
    ...[{ organizationId: 'org_b' }, { number: 3 }, { seq: 41 }, { hash: 'cd'.repeat(32) }, { atMs: 6 }],
    ...[{ fileId: 'ckf_2' }, { keyId: openVault(2).signingKeyId }, { signature: '' }],
    ...[{ signature: `${signature}=` }, { signature: ` ${signature}` }, { signature: signature.slice(4) }],
    { signature: Buffer.alloc(64).toString('base64') },
  ];
  for (const change of changes) {
    assert.equal(isGenuine({ ...signed, ...change }, vault), false, JSON.stringify(change));
  }
  // Signed by another key under the id of this one.
  const { publicKey } = openVault(2);
  assert.equal(isGenuine(signed, { publicKey, signingKeyId: vault.signingKeyId }), false);
});

test('a line is read back whole, and only with exactly its members and their types', () => {
  const line = JSON.parse(checkpointToLine(signed)) as Record<string, unknown>;
  assert.deepEqual(lineToCheckpoint(line), signed);
  for (const name of Object.keys(line)) {
    const { [name]: _removed, ...without } = line;
    assert.equal(lineToCheckpoint(without), null, `without ${name}`);
    for (const value of [null, true, 1.5, ['x']]) {
      assert.equal(lineToCheckpoint({ ...line, [name]: value }), null, `${name}: ${value}`);
    }
    const other = typeof line[name] === 'number' ? '1' : 1;
    assert.equal(lineToCheckpoint({ ...line, [name]: other }), null, `${name}: ${typeof other}`);
  }
  for (const name of ['type', 'format', 'algorithm']) {
    assert.equal(lineToCheckpoint({ ...line, [name]: 'other' }), null, `another ${name}`);
  }
  assert.equal(lineToCheckpoint({ ...line, more: 1 }), null);
  for (const value of [null, undefined, 'text', 1, []]) assert.equal(lineToCheckpoint(value), null);
});
