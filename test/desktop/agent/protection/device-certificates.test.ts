import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { readInstallableRoot } from '../../../../apps/desktop/src/agent/host/device-root.ts';
import {
  createDeviceCertificates,
  isRootUsableFor,
} from '../../../../apps/desktop/src/agent/protection/device-certificates.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { createFileVault } from '../../../../apps/desktop/src/vault/file-vault.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function certificates(isTrusted = async (_pem: string) => true, dir = tempFolder('certificates')) {
  return createDeviceCertificates({
    files: stateFiles(dir),
    vault: createFileVault(path.join(dir, 'vault')),
    stores: [],
    isTrusted,
  });
}

test('leaves are issued only for the hosts that the root covers', async () => {
  const own = certificates();
  assert.equal(own.rootPem(), null);
  assert.equal(await own.leafFor('api.openai.com'), null);
  assert.equal(await own.ensureFor(['api.openai.com']), null);
  const pem = own.rootPem();
  assert.ok(pem !== null);
  const leaf = await own.leafFor('api.openai.com');
  assert.ok(leaf !== null);
  assert.ok(leaf.chain.endsWith(pem));
  assert.equal(new X509Certificate(leaf.chain).checkHost('api.openai.com'), 'api.openai.com');
  assert.equal(await own.leafFor('example.com'), null);
});

test('a root is replaced when it does not cover a host', async () => {
  const own = certificates();
  assert.equal(isRootUsableFor(null, []), false);
  await own.ensureFor(['api.openai.com']);
  const first = own.rootPem();
  assert.equal(isRootUsableFor(first, ['api.openai.com']), true);
  assert.equal(isRootUsableFor(first, ['llm.example']), false);
  await own.ensureFor(['api.openai.com', 'llm.example']);
  assert.notEqual(own.rootPem(), first);
  assert.equal(isRootUsableFor(own.rootPem(), ['llm.example']), true);
  assert.ok((await own.leafFor('llm.example')) !== null);
});

test('a trusted root serves its hosts until programs trust its successor, also after a restart', async () => {
  const dir = tempFolder('certificates');
  const trusted = new Set<string>();
  const own = certificates(async (pem) => trusted.has(pem), dir);
  await own.ensureFor(['api.openai.com']);
  const first = own.rootPem() ?? '';
  trusted.add(first);
  const both = ['api.openai.com', 'bank.example'];
  assert.match((await own.ensureFor(both)) ?? '', /until this computer trusts its new certificate/);
  assert.equal(own.rootPem(), first);
  assert.ok((await own.leafFor('api.openai.com')) !== null, 'protected hosts stay protected');
  assert.equal(await own.leafFor('bank.example'), null);
  assert.deepEqual(own.uncovered(both), ['bank.example']);
  const restarted = certificates(async (pem) => trusted.has(pem), dir);
  await restarted.ensureFor(both);
  assert.equal(restarted.rootPem(), first);
  trusted.add(readInstallableRoot(stateFiles(dir))?.pem ?? '');
  assert.equal(await restarted.ensureFor(both), null);
  assert.notEqual(restarted.rootPem(), first);
  assert.deepEqual(restarted.uncovered(both), []);
  for (const host of both) assert.ok((await restarted.leafFor(host)) !== null, host);
});
