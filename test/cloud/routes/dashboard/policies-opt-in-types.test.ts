import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { OPT_IN_PII_TYPES, type PolicyDetail, type PolicyPreview } from '@csg/shared/contract';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

const IBAN = 'DE89 3704 0044 0532 0130 00';
const TEXT = `My name is Anna Lindqvist, born on 12 May 1984, passport no. C01X00T47, IBAN ${IBAN}.`;
const MASKED = 'My name is [PERSON_NAME], born on [DATE_OF_BIRTH], passport no. [PASSPORT], IBAN [IBAN].';

describe('types of personal data that a policy names', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let admin: TestBrowser;
  let adminKey: string;
  let id: string;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    admin = await signInAs(gateway, 'admin');
    adminKey = (await gateway.addKey({ projectId: null })).plain;
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const setting = async (body: object) => {
    const path = `/api/v1/projects/${gateway.account.projectId}`;
    assert.equal((await gateway.call('PATCH', path, { key: adminKey, body })).status, 200);
  };
  const chat = async (content: string, more: object = {}) => {
    const answer = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: PROVIDER_KEY,
      body: { model: 'm', messages: [{ role: 'user', content }], ...more },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const sent = (): string => JSON.parse(testProvider.lastRequest().body.toString()).messages[0].content;
  const guard = async (content: string) => {
    const answer = await gateway.call('POST', '/api/v1/guard', {
      body: { messages: [{ role: 'user', content }] },
    });
    return (await answer.json()) as { decision: string };
  };

  test('are not masked if no policy names them', async () => {
    await chat(TEXT);
    assert.equal(sent(), TEXT);
    assert.equal((await guard(TEXT)).decision, 'allow');
  });

  test('are rejected by redact', async () => {
    for (const type of OPT_IN_PII_TYPES) {
      const body = { content: TEXT, pii_types: [type] };
      assert.equal((await gateway.call('POST', '/api/v1/security/redact', { body })).status, 422);
    }
    const answer = await gateway.call('POST', '/api/v1/security/redact', { body: { content: TEXT } });
    assert.equal(((await answer.json()) as { redacted: string }).redacted, TEXT);
  });

  test('cause a warning in a preview, as past requests do not show them', async () => {
    const preview = await admin.call<PolicyPreview>('POST', '/policies/preview', {
      policy: {
        name: 'Names',
        action: 'redact',
        threat_types: ['pii_leak'],
        conditions: { pii_types: ['person_name'] },
      },
    });
    assert.ok(preview.body.warnings.some(({ message }) => message.startsWith('Opt-in types')));
  });

  test('are masked in requests and reported in responses once a policy names them, with their rules in events', async () => {
    const created = await admin.call<PolicyDetail>('POST', '/policies', {
      name: 'Personal data of customers',
      action: 'redact',
      threat_types: ['pii_leak'],
      conditions: { pii_types: [...OPT_IN_PII_TYPES] },
    });
    assert.equal(created.status, 200);
    assert.deepEqual(created.body.conditions?.pii_types, [...OPT_IN_PII_TYPES]);
    id = created.body.id;
    testProvider.answer({ text: TEXT });
    await chat(TEXT);
    assert.equal(sent(), MASKED);
    assert.equal((await chat('Who am I?')).headers.get('x-service-decision'), 'redact');
    assert.equal((await guard(TEXT)).decision, 'redact');
    const events = await gateway.storage.events.page(gateway.account.organizationId, { limit: 10 });
    const rules = new Set(events.events.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
    for (const rule of ['pii.iban', 'pii.passport', 'pii.date-of-birth', 'pii.person-name'])
      assert.ok(rules.has(rule), [...rules].join());
  });

  test('are restored by a round trip', async () => {
    await setting({ masking: 'round_trip' });
    testProvider.answer((request) => ({
      text: `Paid to ${/\[IBAN_\w{8}\]/.exec(request.body.toString())?.[0]}.`,
    }));
    const { text } = await chat(TEXT);
    assert.ok(!sent().includes(IBAN) && /\[PERSON_NAME_\w{8}\]/.test(sent()), sent());
    assert.equal(JSON.parse(text).choices[0].message.content, `Paid to ${IBAN}.`);
    await setting({ masking: 'one_way' });
  });

  test('block a request or a response, also a live one before the value is sent', async () => {
    const changed = await admin.call<PolicyDetail>('PATCH', `/policies/${id}`, { action: 'block' });
    assert.equal(changed.status, 200);
    assert.equal((await chat(TEXT)).status, 403);
    await setting({ streaming: 'live' });
    const prose = 'the report is ready and my team has read it over the weekend. '.repeat(40);
    testProvider.answer({ text: `${prose}Please pay to ${IBAN} by Friday. ${prose}` });
    const { text } = await chat('Where do I pay?', { stream: true });
    const shown = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    assert.ok(text.includes('content_blocked'), text.slice(-300));
    assert.ok(shown.length > 1_000 && prose.startsWith(shown), shown.slice(-80));
  });
});
