import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { parseConfig } from '../../../apps/cloud/src/config/parse-config.ts';
import {
  configuredProviders,
  openConfiguredStorage,
} from '../../../apps/cloud/src/gateway/configured-parts.ts';

test('storage, key and providers follow the environment', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'csg-test-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const parsed = parseConfig({ GATEWAY_DATA_DIR: dataDir, PROVIDER_OPENAI_URL: 'http://127.0.0.1:9' });
  assert.ok(parsed.ok);
  const storage = await openConfiguredStorage(parsed.config, pino({ level: 'silent' }));
  await storage.ping();
  const [key] = await storage.masterKeys.status();
  await storage.close();
  const again = await openConfiguredStorage(parsed.config, pino({ level: 'silent' }));
  assert.equal((await again.masterKeys.status())[0]?.keyId, key?.keyId, 'the key is created once, then read');
  await again.close();
  const names = configuredProviders(parsed.config).map((provider) => provider.name);
  assert.ok(names.includes('openai') && names.includes('anthropic'));
});
