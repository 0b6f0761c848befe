/** The service is killed while it deletes an organization: afterwards either all of it is gone, or nothing is. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { addAccount, type TestAccount } from '../support/accounts.ts';
import { PASSWORD, signInAs } from '../support/browser.ts';
import { createTestDatabase, noPostgres } from '../support/databases.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { cases, partOf, seedFor } from '../support/part.ts';
import { seededRandom } from '../support/random.ts';

const MASTER_KEY = '5a'.repeat(32);
const ROUNDS = cases(2, 6);
const KEYS = 200;
/** Milliseconds from the request to the kill. */
const LATEST_MS = 150;

const ENGINES = partOf('engine of deletions', ['SQLite', 'PostgreSQL'] as const, 1);

for (const engine of ENGINES) {
  describe(`killed while deleting, ${engine}`, { skip: engine === 'PostgreSQL' && noPostgres }, () => {
    test('an organization is complete or gone, and its audit chain verifies', async (t) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'csg-crash-'));
      const database = engine === 'PostgreSQL' ? await createTestDatabase() : null;
      t.after(async () => {
        await database?.drop();
        rmSync(dataDir, { recursive: true, force: true });
      });
      const place = database === null ? {} : { databaseUrl: database.databaseUrl };
      const open = () =>
        openStorage({ ...place, dataDir, masterKey: Buffer.from(MASTER_KEY, 'hex'), now: Date.now });
      const random = seededRandom(seedFor(`deletion ${engine}`));
      for (let round = 0; round < ROUNDS; round++) {
        const gateway = await startGatewayProcess({
          dataDir,
          env: {
            GATEWAY_MASTER_KEY: MASTER_KEY,
            LOG_LEVEL: 'error',
            ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
          },
        });
        let storage = await open();
        const team = await addAccount({ storage }, { plan: 'enterprise' });
        await fill(storage, team);
        const account = { ...team, firstKey: null };
        const owner = await signInAs({ storage, account, address: gateway.address }, 'owner');
        await storage.close();
        // The service responds or is killed: either ends the request. The password check alone takes tens of
        // milliseconds.
        const deleting = owner
          .call('DELETE', `/organizations/${team.organizationId}`, { current_password: PASSWORD })
          .then(({ status }) => status)
          .catch(() => 0);
        await Promise.race([deleting, pause(((round + random()) * LATEST_MS) / ROUNDS)]);
        await gateway.kill();
        const status = await deleting;
        storage = await open();
        const isThere = (await storage.organizations.get(team.organizationId)) !== null;
        const rows = (await storage.audit.page(team.organizationId, { kind: 'organization_deleted' })).rows;
        assert.equal(rows.length, isThere ? 0 : 1, `round ${round}`);
        if (status === 204)
          assert.equal(isThere, false, `round ${round}: the response had confirmed the deletion`);
        assert.equal((await storage.keys.list(team.organizationId)).length, isThere ? KEYS + 1 : 0);
        assert.equal((await storage.members.list(team.organizationId)).length, isThere ? 1 : 0);
        assert.equal((await storage.audit.verify(team.organizationId)).valid, true);
        await storage.close();
      }
    });
  });
}

async function fill(storage: Storage, { organizationId, projectId, accountId }: TestAccount): Promise<void> {
  await storage.transaction(async ({ keys }) => {
    for (let n = 0; n < KEYS; n++) {
      await keys.insert({
        organizationId,
        projectId,
        userId: accountId,
        deviceId: null,
        name: `key ${n}`,
        permissions: [],
        expiresAtMs: null,
        key: makeKey(),
      });
    }
  });
}
