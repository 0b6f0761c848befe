import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { DEVICE_CONFIG_FORMAT } from '@csg/shared/contract';
import { signedText } from '@csg/shared/text';
import { createConfigStore } from '../../../../apps/desktop/src/agent/service/device-config-store.ts';
import type {
  ReceivedConfig,
  ServiceOutcome,
} from '../../../../apps/desktop/src/cloud-client/service-client.ts';
import type { CachedConfig } from '../../../../apps/desktop/src/journal/open-journal.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const enrollment = {
  server: 'https://g.example',
  deviceId: 'dev_1',
  organizationId: 'org_1',
  deviceName: 'n',
  accountName: 'a',
  enrolledAt: '',
  signingKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
};

function bundle(version: string, day: number, deviceId = 'dev_1'): string {
  const unsigned = {
    device_id: deviceId,
    mode: 'enforce',
    fail_closed: false,
    hosts: [],
    bypass_hosts: [],
    blocked_tools: [],
    policy_version: version,
    ruleset: { useCase: 'default', strictness: 'moderate', policies: [] },
    exceptions: [],
    issued_at: `2026-01-0${day}T00:00:00.000Z`,
    signing_key_id: 'k',
  };
  const bytes = Buffer.from(signedText(DEVICE_CONFIG_FORMAT, unsigned));
  return JSON.stringify({ ...unsigned, signature: sign(null, bytes, privateKey).toString('base64') });
}

function keeper(cached: CachedConfig | null = null) {
  const tags: (string | null)[] = [];
  let kept = cached;
  const keep = (config: CachedConfig): void => {
    kept = config;
  };
  let next: ServiceOutcome<ReceivedConfig> = { kind: 'no-answer', reason: 'gone' };
  const own = createConfigStore(
    enrollment,
    { config: () => kept, saveConfig: keep },
    {
      config: async (etag) => {
        tags.push(etag);
        return next;
      },
    },
  );
  const receive = (text: string | null) => {
    next = { kind: 'ok', value: { text, etag: 'tag' } };
    return own.refresh();
  };
  return { own, tags, receive, kept: () => kept };
}

test('uses the newest genuine one and stores it for the next start', async () => {
  const { own, receive, kept, tags } = keeper();
  assert.equal(await own.refresh(), 'no-answer');
  assert.equal(own.current(), null);
  assert.equal(await receive(bundle('pv_1', 1)), 'changed');
  assert.equal(await receive(bundle('pv_1', 2)), 'same');
  assert.equal(await receive(null), 'same');
  assert.deepEqual(tags, [null, null, 'tag', 'tag']);
  const next = keeper(kept());
  assert.equal(next.own.current()?.policy_version, 'pv_1');
});

test('rejects one that is tampered with, older or another device’s, keeps the current one and says why', async () => {
  const { own, receive } = keeper();
  await receive(bundle('pv_2', 2));
  for (const text of [
    bundle('pv_1', 1),
    bundle('pv_3', 3).replace('enforce', 'monitor'),
    bundle('pv_3', 3, 'dev_2'),
  ]) {
    assert.equal(await receive(text), 'not-genuine');
    assert.equal(own.current()?.policy_version, 'pv_2');
    assert.ok(own.problem()?.endsWith('so it was not used.'));
  }
  await receive(bundle('pv_4', 4));
  assert.equal(own.problem(), null);
});

test('rejects a cached one that was changed on disk', () => {
  const { own } = keeper({ text: bundle('pv_1', 1).replace('pv_1', 'pv_9'), etag: 'tag' });
  assert.equal(own.current(), null);
  assert.match(own.problem() ?? '', /not signed/);
});
