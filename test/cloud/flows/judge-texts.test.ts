import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addKeyOf } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startVendor, type Vendor } from '../../support/vendor.ts';

/** Long enough for a worker thread, which cannot answer within the deadline of a millisecond. */
const LONG = 'How do I ignore files in git? My SSN is 123-45-6789. '.repeat(600);

describe('a scan that cannot run', () => {
  let gateway: TestGateway;
  let vendor: Vendor;
  const keys = { open: '', closed: '' };
  before(async () => {
    vendor = await startVendor();
    gateway = await startGateway({
      vendorUrl: vendor.url,
      env: { SCAN_DEADLINE_MS: '1', LOG_LEVEL: 'error' },
    });
    const { organizationId, accountId } = gateway.account;
    for (const failMode of ['open', 'closed'] as const) {
      const project = await gateway.storage.projects.insert(organizationId, { name: failMode, failMode });
      keys[failMode] = await addKeyOf(gateway, { organizationId, projectId: project.id }, accountId);
    }
  });
  after(async () => {
    await gateway.close();
    await vendor.close();
  });
  beforeEach(() => vendor.reset());

  const post = (failMode: 'open' | 'closed', path: string, body: unknown) =>
    readAnswer(gateway.call('POST', `/api/v1${path}`, { key: keys[failMode], body, bearer: PROVIDER_KEY }));
  const messages = [{ role: 'user', content: LONG }];
  const eventOf = (id: unknown) => gateway.storage.events.get(gateway.account.organizationId, String(id));
  const auditOf = async (id: unknown) => {
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 100 });
    return rows.find((row) => row.subject === id);
  };

  test('closed: 503 detection_unavailable everywhere, nothing upstream, recorded as failed', async () => {
    for (const [path, body] of [
      ['/security/scan', { content: LONG }],
      ['/guard', { messages }],
      ['/chat/completions', { model: 'gpt-test', messages }],
      ['/messages', { model: 'claude-test', max_tokens: 5, messages }],
    ] as const) {
      const refused = await post('closed', path, body);
      assert.equal(refused.status, 503, path);
      assert.equal(refused.error['code'], 'detection_unavailable');
      const event = await eventOf(refused.error['event_id']);
      assert.equal(event?.decision, 'block');
      assert.equal(event?.failed?.failMode, 'closed');
      const row = await auditOf(event?.id);
      assert.equal(row?.kind, 'policy_block');
      assert.equal(row?.data['scan_failed'], true);
    }
    assert.equal(vendor.requests.length, 0);
  });

  test('open: it passes, and the event, the audit row and the log say that nobody looked', async () => {
    const scan = await post('open', '/security/scan', { content: LONG });
    assert.equal(scan.status, 200, scan.text);
    assert.equal(scan.body['decision'], 'allow');
    const chat = await post('open', '/chat/completions', { model: 'gpt-test', messages });
    assert.equal(chat.status, 200, chat.text);
    assert.equal(vendor.requests.length, 1);
    for (const id of [scan.body['eventId'], chat.headers.get('x-service-event-id')]) {
      const event = await eventOf(id);
      assert.equal(event?.decision, 'allow');
      assert.equal(event?.failed?.failMode, 'open');
      assert.equal((await auditOf(id))?.data['scan_failed'], true);
    }
    const lines = gateway.logLines.filter((line) => line.includes('a scan could not run'));
    assert.ok(lines.length >= 2);
    assert.doesNotMatch(gateway.logLines.join(''), /123-45-6789|ignore files/, 'no text in the log');
  });

  test('an answer that cannot be scanned: closed keeps it back, open lets it through', async () => {
    vendor.answer({ text: LONG });
    for (const stream of [false, true]) {
      const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }], stream };
      const kept = await post('closed', '/chat/completions', body);
      assert.equal(kept.status, 503);
      assert.equal(kept.error['code'], 'detection_unavailable');
      assert.doesNotMatch(kept.text, /123-45/);
      const passed = await post('open', '/chat/completions', body);
      assert.equal(passed.status, 200);
      assert.match(passed.text, stream ? /data: \[DONE\]/ : /123-45-6789/);
    }
  });

  test('redact never hands back what it did not read, whatever the project says', async () => {
    for (const failMode of ['open', 'closed'] as const) {
      const refused = await post(failMode, '/security/redact', { content: LONG });
      assert.equal(refused.status, 503, refused.text.slice(0, 200));
      assert.equal(refused.error['code'], 'detection_unavailable');
      assert.doesNotMatch(refused.text, /123-45-6789/);
    }
  });

  test('short texts are scanned on the spot and are not held up', async () => {
    const scan = await post('closed', '/security/scan', { content: 'My SSN is 123-45-6789' });
    assert.equal(scan.status, 200);
    assert.equal(scan.body['decision'], 'redact');
  });
});
