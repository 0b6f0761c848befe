import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { DEVICE_CONFIG_FORMAT } from '@csg/shared/contract';
import { signedText } from '@csg/shared/text';
import { verifyConfig } from '../../../apps/desktop/src/cloud-client/verify-config.ts';

const own = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const pinned = {
  deviceId: 'dev_1',
  signingKey: own.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
};
const BUNDLE = {
  device_id: 'dev_1',
  mode: 'enforce',
  fail_closed: false,
  hosts: ['api.openai.com'],
  bypass_hosts: [],
  blocked_tools: [],
  policy_version: 'pv_1',
  ruleset: { useCase: 'default', strictness: 'moderate', policies: [] },
  exceptions: [],
  issued_at: '2026-01-02T00:00:00.000Z',
  signing_key_id: 'k1',
};

function signed(bundle: object, key = own.privateKey): string {
  const signature = sign(null, Buffer.from(signedText(DEVICE_CONFIG_FORMAT, bundle)), key).toString('base64');
  return JSON.stringify({ ...bundle, signature });
}
const why = (text: string, newest: string | null = null): string => {
  const check = verifyConfig(text, pinned, newest);
  return check.kind === 'ok' ? 'ok' : check.reason;
};

test('accepts a genuine configuration, with unknown members too', () => {
  assert.equal(why(signed(BUNDLE)), 'ok');
  assert.equal(why(signed({ ...BUNDLE, later: { member: [1] } })), 'ok');
  assert.equal(why(signed(BUNDLE), BUNDLE.issued_at), 'ok');
});

test('rejects one that is tampered with, of another key, for another device or older, and says why', () => {
  assert.match(
    why(signed(BUNDLE).replace('api.openai.com', 'api.evil.example')),
    /not signed by the service/,
  );
  assert.match(why(signed(BUNDLE).replace('}', ',"extra":1}')), /not signed by the service|not JSON/);
  assert.match(why(signed(BUNDLE, other.privateKey)), /not signed by the service/);
  assert.match(why(signed({ ...BUNDLE, device_id: 'dev_2' })), /another device/);
  assert.match(why(signed(BUNDLE), '2026-01-03T00:00:00.000Z'), /older/);
  assert.match(why(signed({ ...BUNDLE, mode: 'sometimes' })), /not supported/);
  assert.match(why(JSON.stringify(BUNDLE)), /not signed/);
  assert.match(why('<html>'), /not JSON/);
});
