import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DEVICE_CONFIG_FORMAT } from '@csg/shared/contract';
import { AI_DOMAINS, AI_HOSTS } from '@csg/shared/providers';
import { signedText } from '@csg/shared/text';
import { allowedHosts } from '../../../../apps/desktop/src/agent/host/allowed-hosts.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { openJournal } from '../../../../apps/desktop/src/journal/open-journal.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const keys = generateKeyPairSync('ed25519');
const BUNDLE = {
  device_id: 'dev_1',
  mode: 'enforce',
  fail_closed: false,
  hosts: ['llm.example'],
  bypass_hosts: [],
  blocked_tools: ['tool.example'],
  policy_version: 'pv_1',
  ruleset: { useCase: 'default', strictness: 'moderate', policies: [] },
  exceptions: [],
  issued_at: '2026-01-02T00:00:00.000Z',
  signing_key_id: 'k1',
};

test('hosts of the agent, of its settings, and of a configuration that the service signed', () => {
  const files = stateFiles(tempFolder('allowed'));
  const settings = { extraHosts: ['extra.example'] };
  const extra = () =>
    allowedHosts(files, settings).filter((host) => ![...AI_DOMAINS, ...AI_HOSTS].includes(host));
  const probe = 'probe.content-security-agent.invalid';
  assert.deepEqual(extra(), ['extra.example', probe], 'not enrolled');
  files.saveEnrollment({
    server: 'https://gateway.example',
    deviceId: 'dev_1',
    organizationId: 'org_1',
    deviceName: 'laptop',
    accountName: 'Company',
    signingKey: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    enrolledAt: BUNDLE.issued_at,
  });
  const bytes = Buffer.from(signedText(DEVICE_CONFIG_FORMAT, BUNDLE));
  const signature = sign(null, bytes, keys.privateKey).toString('base64');
  const text = JSON.stringify({ ...BUNDLE, signature });
  const journal = openJournal({ file: files.journal, maxEvents: 1, nowMs: 0 });
  journal.saveConfig({ text, etag: null });
  const before = readdirSync(files.dir);
  assert.deepEqual(extra(), ['extra.example', 'llm.example', 'tool.example', probe]);
  assert.deepEqual(readdirSync(files.dir), before, 'nothing is left in the folder of the user');
  journal.saveConfig({ text: text.replace('llm.example', 'bank.example'), etag: null });
  assert.deepEqual(extra(), ['extra.example', probe], 'changed after it was signed');
  journal.close();
});

test('a journal that is a link is read, and what it leads to is left as it was', () => {
  const elsewhere = tempFolder('elsewhere');
  const target = path.join(elsewhere, 'other.sqlite');
  openJournal({ file: target, maxEvents: 1, nowMs: 0 }).close();
  const files = stateFiles(tempFolder('linked'));
  files.saveEnrollment({
    server: 'https://gateway.example',
    deviceId: 'dev_1',
    organizationId: 'org_1',
    deviceName: 'laptop',
    accountName: 'Company',
    signingKey: '',
    enrolledAt: BUNDLE.issued_at,
  });
  symlinkSync(target, files.journal);
  const before = statSync(target);
  allowedHosts(files, { extraHosts: [] });
  assert.deepEqual(readdirSync(elsewhere), ['other.sqlite']);
  assert.deepEqual([statSync(target).mtimeMs, statSync(target).size], [before.mtimeMs, before.size]);
});
