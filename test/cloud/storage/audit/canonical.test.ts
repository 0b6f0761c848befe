import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalBytes, GENESIS_HASH, rowHash } from '../../../../apps/cloud/src/storage/audit/canonical.ts';

test('a known row has a known hash that never changes', () => {
  const row = {
    organizationId: 'org_a',
    seq: 1,
    atMs: 1_700_000_000_000,
    kind: 'policy_allow',
    actor: 'key_ü',
    subject: 'evt_1',
    data: '{"a":1}',
    prevHash: GENESIS_HASH,
  };
  const text = `csg-audit-row-v1\n5:org_a\n1:1\n13:1700000000000\n12:policy_allow\n6:key_ü\n5:evt_1\n7:{"a":1}\n64:${GENESIS_HASH}\n`;
  assert.equal(rowHash(row), createHash('sha256').update(text, 'utf8').digest('hex'));
  assert.equal(rowHash(row), '7fec43c82a797afcba4fabfd3e96cf019a604de197f66646ded2d1cdadc6f9b7');
});

test('different fields never have the same bytes', () => {
  const fields = fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fields, fields, (a, b) => {
      const isSame = a.length === b.length && a.every((field, at) => field === b[at]);
      return isSame === (canonicalBytes('f', a) === canonicalBytes('f', b));
    }),
    { seed: 11, numRuns: 500 },
  );
  assert.notEqual(canonicalBytes('f', ['a', 'bc']), canonicalBytes('f', ['ab', 'c']));
  assert.notEqual(canonicalBytes('f', ['1:a\n', '']), canonicalBytes('f', ['', '1:a\n']));
});
