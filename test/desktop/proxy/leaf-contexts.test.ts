import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeafContexts } from '../../../apps/desktop/src/proxy/leaf-contexts.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';

const HOUR = 3_600_000;
const authority = await newAuthority(['a.example']);
const leaf = await authority.issuer.leafFor('a.example', Date.now());

test('asked for once, kept, and made anew when the clock jumps to either side', async () => {
  let nowMs = Date.now();
  let asked = 0;
  const contexts = createLeafContexts(
    (host) => {
      asked++;
      contexts.arrived(host, leaf);
    },
    () => nowMs,
  );
  const first = await contexts.contextFor('a.example');
  assert.ok(first !== null);
  assert.equal(await contexts.contextFor('a.example'), first);
  assert.equal(asked, 1);
  nowMs -= 60_000;
  assert.equal(await contexts.contextFor('a.example'), first, 'clocks are put right every day');
  nowMs -= 24 * HOUR;
  assert.notEqual(await contexts.contextFor('a.example'), first, 'the leaf is not valid yet');
  nowMs += 72 * HOUR;
  await contexts.contextFor('a.example');
  assert.equal(asked, 3, 'it has ended');
});

test('a refusal holds for a minute, and not for as long as a clock was set back', async () => {
  let nowMs = 10 * HOUR;
  let asked = 0;
  const contexts = createLeafContexts(
    (host) => {
      asked++;
      contexts.arrived(host, null);
    },
    () => nowMs,
  );
  for (const stepMs of [0, 30_000, 40_000, -5 * HOUR]) {
    nowMs += stepMs;
    assert.equal(await contexts.contextFor('a.example'), null);
  }
  assert.equal(asked, 3);
});
