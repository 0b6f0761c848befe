/** One value of every encrypted kind, and checks that each still works. */
import assert from 'node:assert/strict';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { createTestEnv, makeRecord, NOON, type TestEnv } from './storage-engines.ts';

export const HOOK_URL = 'https://hook.example/T0/canary';
const POLICY_URL = 'https://policy.example/T0/canary';
const TARGET_URL = 'https://target.example/T0/canary';
const FURTHER_URL = 'https://further.example/T0/canary';
const NOTIFIED_URL = 'https://notified.example/T0/canary';

/** One value of every kind that depends on a master key, and checks that each still works. */
export async function sealEverything(storage: Storage): Promise<{
  readonly testEnv: TestEnv;
  works(storage: Storage): Promise<void>;
}> {
  const testEnv = await createTestEnv(storage);
  const { organizationId, projectId, userId, keyId } = testEnv;
  await storage.projects.setCredential(organizationId, projectId, 'openai', 'the credential');
  await storage.projects.setCredential(organizationId, projectId, 'openai', 'the named one', {
    name: 'named',
  });
  const mcpServer = {
    name: 'crm',
    url: 'https://mcp.example/canary',
    headers: { 'x-canary': 'of the server' },
  };
  await storage.mcpServers.put(projectId, mcpServer);
  const { endpoints } = storage;
  const first = { url: HOOK_URL, isEnabled: true };
  const { id: firstId } = await endpoints.put(organizationId, 'webhook', projectId, first);
  await endpoints.rotateSecret(organizationId, firstId, 'first secret', null);
  await endpoints.rotateSecret(organizationId, firstId, 'second secret', NOON + 60_000);
  await endpoints.put(organizationId, 'policy', projectId, {
    ...{ url: POLICY_URL, isEnabled: true, timeoutMs: 3_000, failMode: 'open' },
  });
  await endpoints.put(organizationId, 'audit', null, { url: TARGET_URL, isEnabled: true });
  const further = await endpoints.insert(organizationId, 'webhook', {
    ...{ projectId, url: FURTHER_URL, isEnabled: true, events: null, secret: 'a secret of its own' },
  });
  await endpoints.rotateSecret(
    ...([organizationId, further.id, 'its second secret', NOON + 60_000] as const),
  );
  const target = await endpoints.insert(organizationId, 'notification', {
    ...{ form: 'webhook', url: NOTIFIED_URL, isEnabled: true, events: null, digest: null, quietHours: null },
    secret: 'a secret of notifications',
  });
  await storage.singleSignOn.setProvider(organizationId, {
    ...{ issuer: 'https://login.example', clientId: 'gateway', clientSecret: 'of the client' },
    ...{ roleClaim: null, domains: ['example.com'], emailTrust: 'verified' },
  });
  await storage.secondFactors.begin(userId, 'TOTPSECRET');
  await storage.secondFactors.setRecoveryCodes(userId, ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE', 'FFFF']);
  const mail = await storage.emails.add({
    organizationId,
    kind: 'invitation',
    to: 'ana@example.com',
    subject: 'Come in',
    text: 'by this link',
  });
  const job = await storage.scrapeJobs.insert(organizationId, {
    projectId,
    keyId,
    options: { renderJs: false, extractText: true },
    urls: ['https://example.com/a'],
  });
  const [page] = await storage.scrapeJobs.claim(1, 60_000);
  await storage.scrapeJobs.finish(page!, '{"content":"what it said"}');
  const begun = { organizationId, keyId, key: 'repeat', fingerprint: 'f', leaseMs: 60_000, nowMs: NOON };
  const lease = await storage.idempotency.begin(begun);
  assert.equal(lease.state, 'started');
  if (lease.state === 'started') {
    await lease.lease.finish({ status: 201, headers: {}, body: Buffer.from([0, 255, 7]) });
  }
  const { token: session } = await storage.sessions.create({
    userId,
    organizationId,
    address: '127.0.0.1',
    userAgent: 'test',
    expiresAtMs: NOON + 60_000,
  });
  const review = await storage.requests.insert(organizationId, 'tool_review', {
    ...{ projectId, deviceId: null, requestedBy: keyId, requesterUserId: userId, agentId: 'agent' },
    ...{ sessionId: null, toolName: 'refunds.create', subject: 'a call', arguments: { amount: 40 } },
    ...{ reason: 'on a list', endsInMs: 60_000 },
  });
  const enrollment = await storage.enrollments.create(organizationId, { projectId, uses: 9 });
  for (let n = 0; n < 5; n++) await storage.decisions.record(makeRecord(organizationId));
  await storage.audit.checkpoint();
  const { publicKeyPem } = storage.audit;
  const { deviceSeed } = storage;
  const codes = ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE', 'FFFF'];

  return {
    testEnv,
    async works(by) {
      assert.equal((await by.keys.findForAuth(testEnv.plainKey))?.id, keyId, 'the key is found');
      assert.equal(
        (await by.keys.reveal(organizationId, keyId))?.plain,
        testEnv.plainKey,
        'the key is revealed',
      );
      const credentials = await by.projects.findCredentials(organizationId, projectId, 'openai');
      assert.deepEqual(
        credentials.map(({ secret }) => secret),
        ['the credential', 'the named one'],
      );
      assert.deepEqual(await by.mcpServers.list(organizationId, projectId), [mcpServer]);
      assert.deepEqual(await by.endpoints.signingSecrets(firstId), ['second secret', 'first secret']);
      assert.equal((await by.keys.findForAuth(testEnv.plainKey))?.policyWebhook?.url, POLICY_URL);
      assert.deepEqual(
        new Set((await by.endpoints.list(organizationId)).map(({ url }) => url)),
        new Set([HOOK_URL, POLICY_URL, TARGET_URL, FURTHER_URL, NOTIFIED_URL]),
      );
      const [delivery] = await by.deliveries.enqueue(organizationId, [
        { endpointId: further.id, projectId, event: 'threat.blocked', eventId: null, payload: '{}' },
      ]);
      const { target: endpoint } = (await by.deliveries.claimOne(organizationId, delivery!.id, 60_000))!;
      assert.deepEqual(
        [endpoint.url, endpoint.secrets],
        [FURTHER_URL, ['its second secret', 'a secret of its own']],
      );
      assert.deepEqual(await by.endpoints.signingSecrets(target.id), ['a secret of notifications']);
      assert.equal((await by.singleSignOn.getProvider(organizationId))?.clientSecret, 'of the client');
      assert.equal((await by.secondFactors.get(userId))?.secret, 'TOTPSECRET');
      assert.equal(await by.secondFactors.spendRecoveryCode(userId, codes.pop()!), true, 'a recovery code');
      assert.equal(
        (await by.emails.get({ organizationId, withAccounts: false }, mail.id))?.text,
        'by this link',
      );
      assert.equal(
        (await by.scrapeJobs.get(organizationId, job.id))?.pages[0]?.result,
        '{"content":"what it said"}',
      );
      const repeat = await by.idempotency.begin(begun);
      assert.ok(
        repeat.state === 'done' && repeat.response.body.equals(Buffer.from([0, 255, 7])),
        'the response',
      );
      assert.deepEqual((await by.requests.get(organizationId, review.id, 'tool_review'))?.arguments, {
        amount: 40,
      });
      assert.notEqual(await by.sessions.find(session, NOON), null, 'the session');
      assert.notEqual(await by.enrollments.spend(enrollment.token, 'linux', NOON), null);
      assert.equal(by.audit.publicKeyPem, publicKeyPem, 'checkpoints are signed with the known key');
      assert.deepEqual(by.deviceSeed, deviceSeed, 'devices still trust');
      await by.decisions.record(makeRecord(organizationId));
      const report = await by.audit.verify(organizationId);
      assert.equal(report.valid, true, JSON.stringify(report.faults));
    },
  };
}
