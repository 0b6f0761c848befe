import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { AI_DOMAINS, AI_HOSTS } from '@csg/shared/providers';
import {
  certificateNames,
  ensureRoot,
  isRootValidFor,
  PROBE_HOST,
  readTrustedRoot,
} from '../../../../apps/desktop/src/agent/host/device-root.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { coverageOf } from '../../../../apps/desktop/src/trust/root-certificate.ts';
import { createFileVault } from '../../../../apps/desktop/src/vault/file-vault.ts';
import type { Vault } from '../../../../apps/desktop/src/vault/vault.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function device() {
  const dir = tempFolder('root');
  return { files: stateFiles(dir), vault: createFileVault(path.join(dir, 'vault')) };
}
const nowMs = Date.now();

test('is created once, reused, and replaced if it does not cover a host or expires soon', async () => {
  const { files, vault } = device();
  assert.equal(readTrustedRoot(files), null);
  const first = await ensureRoot(files, vault, ['api.openai.com'], nowMs);
  const again = await ensureRoot(files, vault, ['api.openai.com'], nowMs);
  assert.ok(first.kind === 'ok' && again.kind === 'ok');
  assert.deepEqual([first.isNew, again.isNew], [true, false]);
  assert.equal(again.root.pem, first.root.pem);
  assert.ok(coverageOf(first.root.pem)(PROBE_HOST));
  const wider = await ensureRoot(files, vault, ['api.openai.com', 'localhost'], nowMs);
  assert.ok(
    wider.kind === 'ok' && wider.isNew && wider.next !== null && coverageOf(wider.next.pem)('localhost'),
  );
  assert.equal(wider.root.pem, first.root.pem, 'programs still trust it');
  const soonEnds = await ensureRoot(files, vault, ['api.openai.com'], nowMs + 800 * 24 * 3_600_000);
  assert.ok(soonEnds.kind === 'ok' && soonEnds.isNew && soonEnds.next !== null);
  const later = await ensureRoot(files, vault, ['localhost'], nowMs + 900 * 24 * 3_600_000);
  assert.ok(later.kind === 'ok' && later.isNew && later.next === null, 'an expired one is replaced');
  assert.equal(readTrustedRoot(files)?.pem, later.root.pem);
  const earlier = await ensureRoot(files, vault, ['localhost'], nowMs);
  assert.ok(earlier.kind === 'ok' && earlier.isNew, 'one that is not valid yet is replaced');
  for (const years of [10, -10, 0]) {
    const offMs = nowMs + years * 365 * 24 * 3_600_000;
    const held = await ensureRoot(files, vault, ['localhost'], offMs);
    assert.ok(held.kind === 'ok', `a clock that is ${years} years off`);
    const { validFromDate, validToDate } = new X509Certificate(held.root.pem);
    assert.ok(validFromDate.getTime() <= offMs && validToDate.getTime() > offMs, `${years} years`);
  }
  await ensureRoot(files, vault, ['localhost'], nowMs + 900 * 24 * 3_600_000);
  assert.notEqual(readTrustedRoot(files)?.pem, later.root.pem);
  assert.ok(!readFileSync(files.root, 'utf8').includes('PRIVATE'));
});

test('a damaged certificate, or one without its key, is replaced', async () => {
  const { files, vault } = device();
  await ensureRoot(files, vault, ['localhost'], nowMs);
  writeFileSync(files.root, 'no certificate');
  assert.equal(readTrustedRoot(files), null);
  const mended = await ensureRoot(files, vault, ['localhost'], nowMs);
  assert.ok(mended.kind === 'ok' && mended.isNew);
  await vault.remove('issuer-key');
  const keyless = await ensureRoot(files, vault, ['localhost'], nowMs);
  assert.ok(keyless.kind === 'ok' && keyless.isNew);
});

test('a locked keychain creates no second root', async () => {
  const { files, vault } = device();
  await ensureRoot(files, vault, ['localhost'], nowMs);
  const before = readFileSync(files.root, 'utf8');
  const locked: Vault = { ...vault, read: async () => ({ kind: 'locked', reason: 'Locked.' }) };
  assert.deepEqual(await ensureRoot(files, locked, ['other.example'], nowMs), {
    kind: 'locked',
    reason: 'Locked.',
  });
  assert.equal(readFileSync(files.root, 'utf8'), before);
});

test('adding a host of a known provider needs no other root', async () => {
  const { files, vault } = device();
  const first = await ensureRoot(files, vault, [...AI_HOSTS, 'llm.example'], nowMs);
  const added = ['realtime-2.openai.com', 'new.eu.claude.ai', '*.llm.example', ...AI_HOSTS, 'llm.example'];
  const later = await ensureRoot(files, vault, added, nowMs);
  assert.ok(first.kind === 'ok' && later.kind === 'ok');
  assert.deepEqual([later.isNew, later.next, later.root.pem], [false, null, first.root.pem]);
  for (const host of [
    'evilopenai.com',
    'openai.com.evil.example',
    'mail.google.com',
    's3.amazonaws.com',
    'com',
  ])
    assert.equal(coverageOf(first.root.pem)(host), false, host);
});

test('checking a hundred hosts costs little more than one, because the agent is blocked meanwhile', async () => {
  const { files, vault } = device();
  const hosts = AI_HOSTS.slice(0, 100);
  const made = await ensureRoot(files, vault, hosts, nowMs);
  assert.ok(made.kind === 'ok');
  const { pem } = made.root;
  assert.ok(isRootValidFor(pem, hosts, nowMs));
  // Often enough for a clock that counts in steps of milliseconds.
  const costOf = (some: readonly string[]): number =>
    cpuMs(() => {
      for (let n = 0; n < 20; n++) isRootValidFor(pem, some, nowMs);
    });
  const one = costOf(hosts.slice(0, 1));
  const all = costOf(hosts);
  assert.ok(all < 10 * one, `${hosts.length} hosts: ${all} ms, one: ${one} ms`);
});

test('names below a provider’s domain are not repeated, others are listed', () => {
  const names = certificateNames(AI_DOMAINS, [
    'api.openai.com',
    '*.chatgpt.com',
    '*.LLM.example',
    'llm.example',
  ]);
  assert.deepEqual(names, [...AI_DOMAINS, 'llm.example', PROBE_HOST]);
});
