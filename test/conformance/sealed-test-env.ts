/** One value of every encrypted kind, and checks that each still works. */
import assert from 'node:assert/strict';
import type { Project, Storage } from '../../apps/cloud/src/storage/storage.ts';
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
  await storage.webhooks.putSecret(projectId, 'first secret', null);
  await storage.webhooks.putSecret(projectId, 'second secret', NOON + 60_000);
  const policyWebhook = { url: POLICY_URL, isEnabled: true, timeoutMs: 3_000, failMode: 'open' } as const;
  await storage.projects.update(organizationId, projectId, {
    webhookUrl: HOOK_URL,
    webhookEnabled: true,
    policyWebhook: policyWebhook as unknown as NonNullable<Project['policyWebhook']>,
  });
  await storage.webhooks.setAuditTarget(organizationId, TARGET_URL);
  const further = await storage.furtherWebhooks.insert(organizationId, projectId, {
    ...{ url: FURTHER_URL, isEnabled: true, events: null, secret: 'a secret of its own' },
  });
  await storage.furtherWebhooks.rotateSecret(
    ...([organizationId, projectId, further.id, 'its second secret', NOON + 60_000] as const),
  );
  const target = await storage.notifications.insertTarget(organizationId, {
    ...{ kind: 'webhook', address: NOTIFIED_URL, events: null, digest: null, quietHours: null },
    secret: 'a secret of notifications',
  });
  await storage.singleSignOn.setProvider(organizationId, {
    ...{ issuer: 'https://login.example', clientId: 'gateway', clientSecret: 'of the client' },
    ...{ roleClaim: null, domains: ['example.com'] },
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
  const review = await storage.toolReviews.insert(organizationId, {
    ...{ projectId, requestedBy: keyId, requesterUserId: userId, agentId: 'agent', sessionId: null },
    ...{ toolName: 'refunds.create', call: 'a call', arguments: { amount: 40 }, reason: 'on a list' },
    expiresAtMs: NOON + 60_000,
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
      assert.deepEqual(await by.webhooks.signingSecrets(projectId), ['second secret', 'first secret']);
      const project = await by.projects.get(organizationId, projectId);
      assert.deepEqual([project?.webhookUrl, project?.policyWebhook?.url], [HOOK_URL, POLICY_URL]);
      assert.equal((await by.keys.findForAuth(testEnv.plainKey))?.policyWebhook?.url, POLICY_URL);
      assert.equal(await by.webhooks.getAuditTarget(organizationId), TARGET_URL);
      const [webhook] = await by.furtherWebhooks.list(organizationId, projectId);
      assert.deepEqual([webhook?.id, webhook?.url], [further.id, FURTHER_URL]);
      const [delivery] = await by.webhooks.enqueue(organizationId, [
        { projectId, webhookId: further.id, event: 'threat.blocked', eventId: null, payload: '{}' },
      ]);
      const { target: endpoint } = (await by.webhooks.claimOne(organizationId, delivery!.id, 60_000))!;
      assert.deepEqual(
        [endpoint.url, endpoint.secrets],
        [FURTHER_URL, ['its second secret', 'a secret of its own']],
      );
      const notified = await by.notifications.getTarget(target.id);
      assert.deepEqual([notified?.address, notified?.secret], [NOTIFIED_URL, 'a secret of notifications']);
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
      assert.deepEqual((await by.toolReviews.get(organizationId, review.id))?.arguments, { amount: 40 });
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
