import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openText, sealText } from '../../../../apps/cloud/src/storage/sealing/sealed-text.ts';
import { createSealer } from '../../../../apps/cloud/src/storage/sealing/sealer.ts';

const sealer = createSealer({ current: Buffer.alloc(32, 1), previous: [] });

test('a text is encrypted for its place; plain text from before is read as it is', () => {
  const url = 'https://hooks.example.com/T0/B0/canary';
  const sealed = sealText(sealer, url, 'here');
  assert.match(sealed, /^[A-Za-z0-9+/]+=*$/);
  assert.equal(openText(sealer, sealed, 'here'), url);
  assert.throws(() => openText(sealer, sealed, 'there'));
  assert.throws(() => openText(sealer, sealed.slice(0, -8), 'here'));
  assert.equal(openText(sealer, url, 'here'), url);
  assert.equal(openText(sealer, '{"url":"https://a.example"}', 'here'), '{"url":"https://a.example"}');
});
