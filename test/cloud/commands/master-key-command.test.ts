import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1).toString('hex'), Buffer.alloc(32, 2).toString('hex')];

describe('master-key, while the service runs', () => {
  let gateway: TestGateway;
  let changed: CommandLine;
  before(async () => {
    gateway = await startGateway({
      isOwn: true,
      env: { GATEWAY_MASTER_KEY: OLD, GATEWAY_MASTER_KEY_PREVIOUS: NEW },
    });
    changed = commandLine(gateway.dataDir, { GATEWAY_MASTER_KEY: NEW, GATEWAY_MASTER_KEY_PREVIOUS: OLD });
  });
  after(() => gateway.close());

  test('status shows how much is encrypted with which key, and what to do next', async () => {
    const { stdout, code } = await changed.run(['master-key', 'status']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^[0-9a-f]{16} {2}current: encrypts nothing\n[0-9a-f]{16} {2}configured as a previous key: /,
    );
    assert.match(stdout, /\d+ service keys and device credentials/);
    assert.match(stdout, /`gateway master-key rotate` re-encrypts all of it with the current key\.\n$/);
    assert.ok(!stdout.includes(OLD) && !stdout.includes(NEW));
  });

  test('rotate re-encrypts everything, adds an audit row, and makes the old key dispensable', async () => {
    const { stdout, code, stderr } = await changed.run(['master-key', 'rotate']);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^\d+ values were re-encrypted with master key [0-9a-f]{16}: 3 secrets of the service, /,
    );
    assert.match(
      (await changed.run(['master-key', 'rotate'])).stdout,
      /^Nothing had to be re-encrypted with master key [0-9a-f]{16}\.\n$/,
    );
    assert.match((await changed.run(['master-key', 'status'])).stdout, /The previous keys can be removed/);
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'master_key_rotated',
    });
    assert.equal(rows.length, 1);
    assert.equal((rows[0]!.data['resealed'] as Record<string, number>)['secrets of the service'], 3);
    assert.equal((await gateway.call('GET', '/api/v1/projects')).status, 200, 'the service continues');
    const without = commandLine(gateway.dataDir, { GATEWAY_MASTER_KEY: NEW });
    assert.equal((await without.run(['master-key', 'status'])).code, 0);
  });

  test('rejects a wrong or malformed master key with a sentence that does not contain it', async () => {
    const wrong = '7'.repeat(64);
    const without = commandLine(gateway.dataDir, { GATEWAY_MASTER_KEY: wrong });
    await without.refuse(
      ['master-key', 'status'],
      /^This database was encrypted with another master key: it needs key/,
    );
    const bad = commandLine(gateway.dataDir, {
      GATEWAY_MASTER_KEY: NEW,
      GATEWAY_MASTER_KEY_PREVIOUS: 'hunter2',
    });
    await bad.refuse(
      ['master-key', 'status'],
      /^GATEWAY_MASTER_KEY_PREVIOUS, key 1: The master key must be 32 bytes/,
    );
    assert.doesNotMatch((await bad.run(['master-key', 'status'])).stderr, /hunter2/);
  });
});
