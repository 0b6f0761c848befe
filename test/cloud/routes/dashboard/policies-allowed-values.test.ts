import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PolicyDetail, PolicyPreview } from '@csg/shared/contract';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

type Saved = PolicyDetail;
type Refused = { detail: { loc: (string | number)[]; msg: string }[] };

describe('values that a policy allows', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let admin: TestBrowser;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    admin = await signInAs(gateway, 'admin');
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  const refused = async (body: object): Promise<[string, string]> => {
    const answer = await admin.call<Refused>('POST', '/policies', { name: 'Test', action: 'block', ...body });
    const [problem] = answer.body.detail;
    return [problem!.loc.join('.'), problem!.msg];
  };

  test('pass in a proxied body, and other values do not; the audit row has only their number', async () => {
    const own = 'support@own-company.example';
    const other = 'anna.berg@customer.example';
    const rules = { action: 'redact', threat_types: ['pii_leak'] };
    const masked = async () => {
      await gateway.call('POST', '/api/v1/chat/completions', {
        bearer: PROVIDER_KEY,
        body: { model: 'gpt-5', messages: [{ role: 'user', content: `From ${own} to ${other}` }] },
      });
      return String(testProvider.requests.at(-1)?.body);
    };
    const created = await admin.call<Saved>('POST', '/policies', { name: 'Test', ...rules });
    const { id } = created.body;
    assert.equal((await masked()).includes(own), false);
    const changed = await admin.call<Saved>('PATCH', `/policies/${id}`, { allowed_values: [own, own] });
    assert.deepEqual(changed.body.allowed_values, [own]);
    const sent = await masked();
    assert.ok(sent.includes(own) && !sent.includes(other), sent);
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId, { only: 'changes' }))
      .rows;
    assert.equal(row?.data['allowed_values'], 1, 'the audit row has their number, not the values');
    assert.equal(JSON.stringify(row).includes(own), false);
    const tried = await admin.call<{ results: { hits: { start: number; end: number }[] }[] }>(
      'POST',
      '/policies/try',
      { allowed_values: [own], samples: [`From ${own} to ${other}`] },
    );
    assert.deepEqual(
      tried.body.results[0]?.hits.map(({ start, end }) => [start, end]),
      [[5, 5 + own.length]],
    );
    const preview = await admin.call<PolicyPreview>('POST', '/policies/preview', {
      policy: { name: 'Draft', ...rules, allowed_values: [own] },
    });
    assert.deepEqual(
      preview.body.warnings.map(({ code }) => code),
      ['not_on_past_requests'],
    );
    assert.deepEqual(await refused({ threat_types: ['jailbreak'], allowed_values: [own] }), [
      'body.allowed_values',
      'Allowed values apply to personal data and secrets. Choose the threat type pii_leak or secret_leak.',
    ]);
    assert.equal(
      (await refused({ threat_types: ['pii_leak'], allowed_values: ['  x  '] }))[0],
      'body.allowed_values.0',
    );
  });
});
