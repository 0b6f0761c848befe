import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { configurationProfile } from '../../../../apps/desktop/src/agent/commands/configuration-profile.ts';
import { createRoot } from '../../../../apps/desktop/src/trust/root-certificate.ts';
import { missingTool } from '../../../../scripts/system-tools.ts';

const READ = `
import base64, json, plistlib, sys
profile = plistlib.loads(sys.stdin.buffer.read())
for payload in profile['PayloadContent']:
    if 'PayloadContent' in payload: payload['PayloadContent'] = base64.b64encode(payload['PayloadContent']).decode()
print(json.dumps(profile))`;
const UUID = /^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-A[0-9A-F]{3}-[0-9A-F]{12}$/;

test('a property list parser finds the certificate in the profile, which is the same each time', {
  skip: missingTool(['python']),
}, async () => {
  const { pem } = await createRoot(['api.openai.com'], Date.now());
  const text = configurationProfile(pem);
  assert.equal(configurationProfile(pem), text);
  const { stdout, stderr } = spawnSync('python3', ['-c', READ], { input: text, encoding: 'utf8' });
  assert.equal(stderr, '');
  const profile = JSON.parse(stdout);
  assert.equal(profile.PayloadType, 'Configuration');
  assert.equal(profile.PayloadScope, 'System');
  assert.match(profile.PayloadUUID, UUID);
  const [payload, firefox] = profile.PayloadContent;
  assert.equal(payload.PayloadType, 'com.apple.security.root');
  assert.match(payload.PayloadUUID, UUID);
  assert.notEqual(payload.PayloadUUID, profile.PayloadUUID);
  assert.equal(firefox.PayloadType, 'org.mozilla.firefox');
  assert.deepEqual(
    [firefox.EnterprisePoliciesEnabled, firefox.Certificates],
    [true, { ImportEnterpriseRoots: true }],
  );
  assert.equal(payload.PayloadContent, new X509Certificate(pem).raw.toString('base64'));
});
