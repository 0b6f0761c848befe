import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { PolicyDetail, PolicyPreview, PolicyWarning } from '@csg/shared/contract';
import { addAccount, addKeyOf } from '../../../support/accounts.ts';
import { type Answer, signInAs, type TestBrowser } from '../../../support/browser.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

type Saved = PolicyDetail & { warnings: PolicyWarning[] };
type Refused = { detail: { loc: (string | number)[]; msg: string }[] };

const FALCON = { name: 'Falcon', pattern: '(?i)falcon-\\d{4}' };

describe('policies', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let admin: TestBrowser;
  let otherKey = '';
  let otherProject = '';
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    admin = await signInAs(gateway, 'admin');
    const { organizationId, accountId } = gateway.account;
    otherProject = (await gateway.storage.projects.insert(organizationId, { name: 'Other' })).id;
    otherKey = await addKeyOf(gateway, { organizationId, projectId: otherProject }, accountId);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(async () => {
    for (const { id } of await own()) await admin.call('DELETE', `/policies/${id}`);
  });

  const own = async () =>
    (await admin.call<{ policies: PolicyDetail[] }>('GET', '/policies')).body.policies.filter(
      (row) => !row.from_preset,
    );
  const create = async (body: object): Promise<Saved> => {
    const answer = await admin.call<Saved>('POST', '/policies', { name: 'Test', ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const refused = async (body: object): Promise<[string, string]> => {
    const answer = await admin.call<Refused>('POST', '/policies', { name: 'Test', action: 'block', ...body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    const [fault] = answer.body.detail;
    return [fault!.loc.join('.'), fault!.msg];
  };
  const scan = async (content: string, key = gateway.key) =>
    (await (await gateway.call('POST', '/api/v1/security/scan', { key, body: { content } })).json()) as {
      decision: string;
      threatType: string | null;
      reason: string;
    };
  const guard = async (body: object) =>
    (await (await gateway.call('POST', '/api/v1/guard', { body })).json()) as Record<string, unknown>;

  test('apply a pattern from the next request on, until it is changed or deleted', async () => {
    assert.equal((await scan('The plan of FALCON-1234.')).decision, 'allow');
    const made = await create({ action: 'block', patterns: [FALCON] });
    assert.deepEqual([made.scope, made.priority, made.version, made.mode], ['account', 1010, 1, 'enforce']);
    const blocked = await scan('The plan of FALCON-1234.');
    assert.deepEqual([blocked.decision, blocked.threatType], ['block', 'custom_policy']);
    assert.match(blocked.reason, /Matches "Falcon" in the policy "Test"/);
    assert.doesNotMatch(blocked.reason, /1234/);

    await admin.call('PATCH', `/policies/${made.id}`, { action: 'redact' });
    const masked = await guard({ messages: [{ role: 'user', content: 'The plan of FALCON-1234.' }] });
    assert.deepEqual(masked['redacted_messages'], [{ role: 'user', content: 'The plan of [REDACTED].' }]);
    await admin.call('PATCH', `/policies/${made.id}`, { is_active: false });
    assert.equal((await scan('The plan of FALCON-1234.')).decision, 'allow');
    await admin.call('PATCH', `/policies/${made.id}`, { is_active: true });
    assert.equal((await scan('The plan of FALCON-1234.')).decision, 'redact');
    assert.equal((await admin.call('DELETE', `/policies/${made.id}`)).status, 204);
    assert.equal((await scan('The plan of FALCON-1234.')).decision, 'allow');
    assert.equal((await admin.call('DELETE', `/policies/${made.id}`)).status, 404);
  });

  test('read long texts as short ones, to the last word', async () => {
    await create({ action: 'block', patterns: [FALCON] });
    const filler = 'Notes of a quiet day by the river. '.repeat(2_500);
    assert.equal((await scan(filler)).decision, 'allow');
    assert.equal((await scan(`${filler}FALCON-1234`)).decision, 'block');
  });

  test('mask a proxied request in place', async () => {
    await create({ action: 'redact', patterns: [FALCON] });
    testProvider.reset();
    const answer = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: PROVIDER_KEY,
      body: { model: 'gpt-test', messages: [{ role: 'user', content: 'Say FALCON-1234' }] },
    });
    assert.equal(answer.headers.get('x-service-decision'), 'redact');
    assert.match(JSON.stringify(testProvider.requests.map(({ body }) => String(body))), /\[REDACTED\]/);
    assert.doesNotMatch(JSON.stringify(testProvider.requests.map(({ body }) => String(body))), /1234/);
  });

  test('of a project apply to it alone, and those of the account everywhere', async () => {
    await create({ action: 'block', patterns: [FALCON], project_id: otherProject });
    assert.equal((await scan('FALCON-1234')).decision, 'allow');
    assert.equal((await scan('FALCON-1234', otherKey)).decision, 'block');
    const listed = (await (await gateway.call('GET', '/api/v1/policies', { key: otherKey })).json()) as {
      policies: { scope: string; action: string }[];
    };
    assert.deepEqual([listed.policies[0]?.scope, listed.policies[0]?.action], ['project', 'block']);
    assert.deepEqual(await refused({ patterns: [FALCON], project_id: 'proj_none' }), [
      'body.project_id',
      'No such project.',
    ]);
  });

  test('apply by model, provider, host and role', async () => {
    const messages = [{ role: 'user', content: 'My SSN is 536-22-8726.' }];
    await create({ action: 'block', threat_types: ['pii_leak'], conditions: { models: ['gpt-*'] } });
    assert.equal((await guard({ messages, model: 'gpt-5' }))['decision'], 'block');
    assert.equal((await guard({ messages, model: 'claude' }))['decision'], 'redact');
    await create({ action: 'allow', threat_types: ['pii_leak'], conditions: { hosts: ['*.corp.example'] } });
    assert.equal((await guard({ messages, destination_host: 'llm.corp.example' }))['decision'], 'allow');
    assert.equal(
      (await guard({ messages, model: 'gpt-5', destination_host: 'api.openai.com' }))['decision'],
      'block',
    );
    await create({ action: 'monitor', threat_types: ['pii_leak'], conditions: { providers: ['openai'] } });
    const proxied = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: PROVIDER_KEY,
      body: { model: 'gpt-test', messages },
    });
    assert.equal(proxied.headers.get('x-service-decision'), 'allow');
    assert.equal(proxied.headers.get('x-service-threat-type'), 'pii_leak', 'monitored, and reported');
    await create({ action: 'block', threat_types: ['pii_leak'], conditions: { roles: ['tool'] } });
    const tool = [{ role: 'tool', content: 'My SSN is 536-22-8726.' }];
    assert.equal((await guard({ messages: tool }))['decision'], 'block');
    assert.equal((await guard({ messages }))['decision'], 'redact');
  });

  test('on card numbers alone block them, and leave other personal data to the preset', async () => {
    const card = 'Charge 4111 1111 1111 1111.';
    await create({ action: 'block', threat_types: ['pii_leak'], conditions: { pii_types: ['credit_card'] } });
    assert.deepEqual((await scan(card)).decision, 'block');
    assert.deepEqual((await scan('Write to ada@harbour.example.')).decision, 'redact');
    assert.deepEqual((await scan('My SSN is 536-22-8726.')).decision, 'redact');

    const [blocksCards] = await own();
    await admin.call('PATCH', `/policies/${blocksCards!.id}`, { conditions: { pii_types: ['ip_address'] } });
    const address = 'Connect to 81.2.69.142 now.';
    assert.equal((await scan(address)).decision, 'block', 'also what the preset does not look for');
    await admin.call('PATCH', `/policies/${blocksCards!.id}`, {
      conditions: { pii_types: ['ip_address'], roles: ['system'] },
    });
    assert.equal(
      (await scan(address)).decision,
      'allow',
      'the preset does not act on it in texts of other roles',
    );

    const preview = await admin.call<PolicyPreview>('POST', '/policies/preview', {
      policy: {
        name: 'Cards',
        action: 'block',
        threat_types: ['pii_leak'],
        conditions: { pii_types: ['credit_card'] },
      },
    });
    const all = await admin.call<PolicyPreview>('POST', '/policies/preview', {
      policy: { name: 'All', action: 'block', threat_types: ['pii_leak'] },
    });
    assert.ok(preview.body.would.block < all.body.would.block, 'the preview is as narrow');
    const [field] = await refused({ threat_types: ['pii_leak'], conditions: { pii_types: ['shoe_size'] } });
    assert.equal(field, 'body.conditions.pii_types.0');
  });

  test('in monitor mode report what they match; the preview shows what they would have done', async () => {
    const watching = await create({ action: 'block', mode: 'monitor', patterns: [FALCON] });
    const preview = async (change: object, policyId?: string) => {
      const { name, action, patterns } = watching;
      const policy = { name, action, patterns, ...change };
      const answer = await admin.call<PolicyPreview>('POST', '/policies/preview', {
        ...(policyId === undefined ? {} : { policy_id: policyId }),
        policy,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const before = await preview({}, watching.id);
    for (let n = 0; n < 3; n++) assert.equal((await scan(`FALCON-123${n}`)).decision, 'allow');
    await scan('Nothing.');
    const seen = await preview({}, watching.id);
    assert.equal(seen.requests - before.requests, 4);
    assert.equal(seen.would.block - before.would.block, 3);
    assert.equal(seen.would.allow - before.would.allow, 1);
    assert.deepEqual([seen.samples[0]?.now, seen.samples[0]?.would], ['allow', 'block']);
    assert.ok(await gateway.storage.events.get(gateway.account.organizationId, seen.samples[0]!.event_id));
    assert.ok(seen.warnings.some(({ code }) => code === 'not_on_past_requests'));

    await scan('My SSN is 536-22-8726.');
    const types = { patterns: [], threat_types: ['pii_leak'] };
    const masked = await preview({ ...types, action: 'block' });
    assert.ok(masked.would.block > masked.now.block);
    assert.ok(masked.would.redact < masked.now.redact, 'what was masked would have been blocked');
    const open = await preview({ ...types, action: 'allow' });
    assert.ok(open.would.redact < open.now.redact);
    assert.ok(open.would.allow > open.now.allow);
    await guard({ messages: [{ role: 'system', content: 'Questions go to help@acme.com.' }] });
    const reported = await preview({ ...types, action: 'redact' });
    assert.equal(
      reported.would.redact,
      reported.now.redact + 1,
      'the policy would mask what the preset reports',
    );
    const elsewhere = await preview({ ...types, action: 'block', project_id: otherProject });
    assert.equal(elsewhere.would.block, elsewhere.now.block, 'nothing changes in another project');
  });

  test('that would block everything are saved with a warning about their effect', async () => {
    await scan('Nothing to see.');
    const saved = await create({ action: 'block', patterns: [{ name: 'All', pattern: '.*' }] });
    assert.equal(saved.warnings[0]?.code, 'blocks_everything');
    assert.match(
      saved.warnings[0]!.message,
      /^This policy blocks every text: all of \d+ requests in the last 24 hours would have been blocked\.$/,
    );
    const watched = await create({
      action: 'block',
      mode: 'monitor',
      patterns: [{ name: 'All', pattern: '(?s).' }],
    });
    assert.deepEqual(
      watched.warnings.map(({ code }) => code),
      ['blocks_everything'],
    );
  });

  test('with invalid fields are rejected with a sentence at the field', async () => {
    for (const [body, loc, words] of [
      [{}, 'body.threat_types', /Choose threat types/],
      [{ name: '   ', threat_types: ['jailbreak'] }, 'body.name', /name/],
      [{ patterns: [FALCON, { name: 'x', pattern: '(?=a)' }] }, 'body.patterns.1.pattern', /look-ahead/],
      [{ patterns: [{ name: 'x', pattern: '(' }] }, 'body.patterns.0.pattern', /RE2 cannot read/],
      [
        { patterns: [{ name: 'x', pattern: '[a-z]{1,100}[a-z]{1,100}[0-9]' }] },
        'body.patterns.0.pattern',
        /too long/,
      ],
      [{ action: 'allow', patterns: [FALCON] }, 'body.action', /monitored, masked or blocked/],
      [{ blocked_domains: ['https://evil.example/'] }, 'body.blocked_domains.0', /without a path/],
      [
        { threat_types: ['jailbreak'], conditions: { hosts: ['not a host'] } },
        'body.conditions.hosts.0',
        /Enter a host/,
      ],
      [
        {
          threat_types: ['jailbreak'],
          conditions: {
            schedule: { time_zone: 'Mars', windows: [{ days: ['mon'], from: '08:00', to: '09:00' }] },
          },
        },
        'body.conditions.schedule.time_zone',
        /time zone/,
      ],
    ] as const) {
      const [at, msg] = await refused(body);
      assert.equal(at, loc);
      assert.match(msg, words);
    }
    assert.deepEqual(await own(), []);
    const fifty = Array.from({ length: 50 }, (_, n) => ({ name: `p${n}`, pattern: `word${n}` }));
    for (let n = 0; n < 4; n++) await create({ action: 'monitor', patterns: fifty });
    const [at, msg] = await refused({ patterns: [FALCON] });
    assert.equal(at, 'body.patterns');
    assert.match(msg, /can have at most 200 patterns in total; these would make 201/);
    const thousand = Array.from({ length: 1_000 }, (_, n) => `d${n}.example`);
    for (let n = 0; n < 5; n++) await create({ action: 'monitor', blocked_domains: thousand });
    const [, more] = await refused({ allowed_domains: ['one.example'] });
    assert.match(more, /5000 domains in total; these would make 5001/);
  });

  test('are tried on samples without being saved', async () => {
    const tried = await admin.call<{ results: { sample: number; hits: { start: number; end: number }[] }[] }>(
      'POST',
      '/policies/try',
      {
        patterns: [FALCON],
        blocked_domains: ['evil.example'],
        samples: ['FALCON-1234 at www.evil.example', 'nothing'],
      },
    );
    assert.deepEqual(
      tried.body.results.map(({ hits }) => hits.map(({ start, end }) => [start, end])),
      [
        [
          [0, 11],
          [15, 31],
        ],
        [],
      ],
    );
    assert.deepEqual(await own(), []);
    assert.equal(
      (await admin.call('POST', '/policies/try', { patterns: [{ name: 'x', pattern: '[' }], samples: ['a'] }))
        .status,
      422,
    );
  });

  test('apply in their order; of two admins who change the same version the second gets an error', async () => {
    const first = await create({ name: 'first', action: 'monitor', threat_types: ['pii_leak'] });
    const second = await create({ name: 'second', action: 'block', threat_types: ['pii_leak'] });
    const text = 'My SSN is 536-22-8726.';
    assert.equal((await scan(text)).decision, 'block', 'the newest decides first');
    const ordered = await admin.call<{ policies: PolicyDetail[] }>('POST', '/policies/reorder', {
      policy_ids: [first.id, second.id],
    });
    assert.deepEqual(
      ordered.body.policies.map(({ name }) => name),
      ['first', 'second'],
    );
    assert.deepEqual(
      (await own()).map(({ name }) => name),
      ['first', 'second'],
    );
    assert.equal((await scan(text)).decision, 'allow');
    await admin.call('PATCH', `/policies/${second.id}`, { description: 'Changed, and still second.' });
    assert.deepEqual(
      (await own()).map(({ name }) => name),
      ['first', 'second'],
    );
    for (const policy_ids of [[first.id], [first.id, first.id], [first.id, 'pol_none']]) {
      const stale = await admin.call('POST', '/policies/reorder', { policy_ids });
      assert.deepEqual([stale.status, stale.error['code']], [409, 'invalid_state']);
    }
    const [current] = await own();
    const change = (name: string): Promise<Answer> =>
      admin.call('PATCH', `/policies/${first.id}`, { name, version: current!.version });
    const answers = await Promise.all([change('mine'), change('theirs')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  test('of presets cannot be changed; every change of others is in the audit log, without its texts', async () => {
    const all = (await admin.call<{ policies: PolicyDetail[] }>('GET', '/policies')).body.policies;
    const preset = all.find(({ from_preset }) => from_preset);
    const answer = await admin.call('PATCH', `/policies/${preset?.id}`, { action: 'allow' });
    assert.deepEqual([answer.status, answer.error['code']], [409, 'invalid_state']);
    const made = await create({ name: 'Secret project', action: 'block', patterns: [FALCON] });
    await admin.call('PATCH', `/policies/${made.id}`, { description: 'private words' });
    await admin.call('DELETE', `/policies/${made.id}`);
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 200 });
    const about = rows.filter(({ subject }) => subject === made.id);
    assert.deepEqual(about.map(({ kind }) => kind).reverse(), [
      'policy_created',
      'policy_changed',
      'policy_deleted',
    ]);
    assert.equal(about[0]?.actor, (await admin.whoAmI()).body.user.id);
    assert.doesNotMatch(JSON.stringify(rows), /Secret project|private words|falcon/);
  });

  test('are read by members, changed by admins, and separate for each organization', async () => {
    const made = await create({ action: 'block', patterns: [FALCON] });
    const member = await signInAs(gateway, 'member');
    assert.equal((await member.call('GET', '/policies')).status, 200);
    for (const [method, path, body] of [
      ['POST', '/policies', { name: 'x', action: 'block', threat_types: ['jailbreak'] }],
      ['PATCH', `/policies/${made.id}`, { name: 'x' }],
      ['DELETE', `/policies/${made.id}`, undefined],
      ['POST', '/policies/reorder', { policy_ids: [made.id] }],
    ] as const) {
      assert.equal((await member.call(method, path, body)).status, 403, `${method} ${path}`);
    }
    const other = await addAccount(gateway, { plan: 'pro' });
    const stranger = await signInAs(gateway, 'owner', other.organizationId);
    assert.equal((await stranger.call('PATCH', `/policies/${made.id}`, { name: 'x' })).status, 404);
    assert.deepEqual((await stranger.call<{ policies: unknown[] }>('GET', '/policies')).body.policies, []);
    assert.equal((await scan('FALCON-1234', other.key)).decision, 'allow');
  });
});
