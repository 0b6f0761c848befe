import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CreatePolicy, type Decision, ValidationError } from '@csg/shared/contract';
import { createPacedTurns } from '../../../../apps/cloud/src/fairness/paced-turns.ts';
import { previewPolicy, warnOfEffect } from '../../../../apps/cloud/src/flows/policies/preview-policy.ts';
import { newEventId } from '../../../../apps/cloud/src/storage/ids.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const HOUR_MS = 3_600_000;
const DRAFT: CreatePolicy = { name: 'No personal data', action: 'block', threat_types: ['pii_leak'] };

async function openPreview(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { organizationId } = await env.addPerson();
  const { id: shop } = await storage.projects.insert(organizationId, { name: 'Shop' });
  /** An event with personal data, or without findings. */
  const addEvent = async (decision: Decision, change: { atMs?: number; projectId?: string | null } = {}) => {
    const atMs = change.atMs ?? clock.now();
    const id = newEventId(atMs);
    const isFound = decision !== 'allow';
    const finding = {
      ...{ rule: 'pii.email', type: 'pii_leak' as const, path: '/messages/0/content', role: 'user' as const },
      ...{ start: 0, end: 12, confidence: 0.99 },
    };
    await storage.decisions.record({
      event: {
        ...{ id, organizationId, projectId: change.projectId ?? null, keyId: null, deviceId: null },
        ...{ requestId: null, direction: 'input', route: 'guard', model: null, unscanned: [], failed: null },
        ...{ latencyUs: 1, atMs, decision, threatType: isFound ? 'pii_leak' : null, confidence: 0.99 },
        findings: isFound ? [finding] : [],
      },
      audit: { kind: 'policy_allow', actor: 'system', subject: id, data: {} },
    });
    return id;
  };
  const addMany = async (count: number, decision: Decision) => {
    for (let n = 0; n < count; n++) await addEvent(decision);
  };
  const addPolicy = async (change: object = {}, projectId: string | null = null) => {
    const [made] = await storage.policies.insertMany(organizationId, projectId, [
      {
        ...{ name: 'Saved', description: null, action: 'block' as const, threatTypes: ['pii_leak' as const] },
        ...{ isActive: true, priority: 1_000, rules: {}, ...change },
      },
    ]);
    return made!;
  };
  const pacedTurns = createPacedTurns({ elapsed: () => performance.now() });
  const preview = (change: Partial<CreatePolicy> = {}, more: { policy_id?: string; hours?: number } = {}) =>
    previewPolicy({ storage, clock, pacedTurns }, organizationId, {
      policy: { ...DRAFT, ...change },
      ...more,
    });
  const codes = async (...input: Parameters<typeof preview>) =>
    (await preview(...input)).warnings.map(({ code }) => code);
  return { ...env, organizationId, shop, addEvent, addMany, addPolicy, preview, codes };
}

test('a preview counts the last day, or the hours asked for, and stores nothing', async (t) => {
  const { storage, clock, organizationId, addEvent, preview } = await openPreview(t);
  const now = clock.now();
  const empty = { allow: 0, redact: 0, block: 0 };
  assert.deepEqual(await preview(), {
    ...{ hours: 24, requests: 0, now: empty, would: empty, considered: 0, estimated: false },
    ...{ samples: [], flow_texts: [], warnings: [] },
  });
  const newest = await addEvent('redact', { atMs: now });
  const oldest = await addEvent('redact', { atMs: now + 1 - 24 * HOUR_MS });
  await addEvent('redact', { atMs: now - 24 * HOUR_MS });
  await addEvent('redact', { atMs: now + 1 });
  await addEvent('allow', { atMs: now - HOUR_MS });
  await addEvent('block', { atMs: now - 2 * HOUR_MS });
  const { warnings, ...day } = await preview();
  const sample = { direction: 'input', threat_type: 'pii_leak', now: 'redact', would: 'block' };
  assert.deepEqual(day, {
    ...{ hours: 24, requests: 4, now: { allow: 1, redact: 2, block: 1 }, estimated: false },
    ...{ would: { allow: 1, redact: 0, block: 3 }, considered: 3, flow_texts: [] },
    samples: [
      { event_id: newest, at: new Date(now).toISOString(), ...sample },
      { event_id: oldest, at: new Date(now + 1 - 24 * HOUR_MS).toISOString(), ...sample },
    ],
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['blocks_a_fifth'],
  );
  const { hours, requests, would } = await preview({}, { hours: 1 });
  assert.deepEqual([hours, requests, would], [1, 1, { ...empty, block: 1 }]);
  assert.equal((await preview({}, { hours: 25 })).requests, 5);
  assert.deepEqual(await storage.policies.list(organizationId), []);
});

test('twenty examples are shown at most', async (t) => {
  const { addMany, preview } = await openPreview(t);
  await addMany(20, 'redact');
  assert.equal((await preview()).samples.length, 20);
  await addMany(1, 'redact');
  const { samples, considered } = await preview();
  assert.deepEqual([samples.length, considered], [20, 21]);
});

test('a policy that changes no decision has no effect, and one in monitor mode is shown as if enforced', async (t) => {
  const { addMany, preview } = await openPreview(t);
  await addMany(1, 'redact');
  await addMany(1, 'block');
  for (const threat_types of [['jailbreak'], ['hidden_content']] as const) {
    const { now, would, samples, warnings } = await preview({ threat_types: [...threat_types] });
    assert.deepEqual([would, samples, warnings], [now, [], []]);
  }
  assert.deepEqual((await preview({ mode: 'monitor' })).would, { allow: 0, redact: 0, block: 2 });
  assert.deepEqual((await preview({ action: 'allow' })).would, { allow: 2, redact: 0, block: 0 });
});

test('a warning is due if a fifth more would be blocked, and another one if everything would be', async (t) => {
  const { addMany, codes } = await openPreview(t);
  await addMany(1, 'redact');
  assert.deepEqual(await codes(), ['blocks_everything', 'blocks_a_fifth']);
  await addMany(4, 'allow');
  assert.deepEqual(await codes(), ['blocks_a_fifth']);
  await addMany(1, 'allow');
  assert.deepEqual(await codes(), []);
});

test('nothing is warned of if everything is blocked as it is', async (t) => {
  const { addMany, codes } = await openPreview(t);
  await addMany(2, 'block');
  assert.deepEqual(await codes(), []);
});

test('a pattern that fits every text blocks every request', async (t) => {
  const { addMany, preview, codes } = await openPreview(t);
  const sweeping: Partial<CreatePolicy> = { threat_types: [], patterns: [{ name: 'All', pattern: '.*' }] };
  assert.deepEqual(await codes(sweeping), ['blocks_everything']);
  await addMany(3, 'allow');
  await addMany(1, 'redact');
  const { would, now, warnings, estimated } = await preview(sweeping);
  assert.deepEqual(
    [now, would],
    [
      { allow: 3, redact: 1, block: 0 },
      { allow: 0, redact: 0, block: 4 },
    ],
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['blocks_everything', 'blocks_a_fifth'],
  );
  assert.equal(estimated, false);
});

test('what cannot be evaluated for past requests is named, once for each reason', async (t) => {
  const { codes } = await openPreview(t);
  for (const [change, count] of [
    [{ patterns: [{ name: 'A', pattern: 'secret-[0-9]+' }] }, 1],
    [{ blocked_domains: ['example.com'] }, 1],
    [{ allowed_values: ['ann@example.com'], action: 'redact' }, 1],
    [{ conditions: { pii_types: ['iban'] } }, 1],
    [{ conditions: { pii_types: ['email'] } }, 0],
    [{ conditions: { hosts: ['api.openai.com'] } }, 1],
    [{ conditions: { providers: ['openai'] } }, 1],
    [{ conditions: { hosts: ['api.openai.com'], pii_types: ['iban'] }, blocked_domains: ['a.example'] }, 3],
  ] as [Partial<CreatePolicy>, number][]) {
    const expected = Array.from({ length: count }, () => 'not_on_past_requests');
    assert.deepEqual(await codes(change), expected, JSON.stringify(change));
  }
});

test('requests count as if they went to the hosts and providers of the policy', async (t) => {
  const { addMany, preview, addPolicy } = await openPreview(t);
  await addMany(1, 'redact');
  const conditions = { hosts: ['api.openai.com'], providers: ['openai'] };
  assert.equal((await preview({ conditions })).would.block, 1);
  const saved = await addPolicy({ rules: { conditions } });
  assert.equal((await preview({ action: 'allow' }, { policy_id: saved.id })).would.allow, 1);
});

test('a policy of a project is for the events of the project, which has to exist', async (t) => {
  const { addEvent, preview, storage, organizationId, shop, addPolicy } = await openPreview(t);
  const { id: other } = await storage.projects.insert(organizationId, { name: 'Other' });
  for (const projectId of [shop, other, null]) await addEvent('redact', { projectId });
  assert.equal((await preview()).requests, 3);
  const { requests, would } = await preview({ project_id: shop });
  assert.deepEqual([requests, would.block], [1, 1]);
  await assert.rejects(
    preview({ project_id: 'proj_none' }),
    (error) => error instanceof ValidationError && error.detail[0]?.loc.join() === 'body,project_id',
  );
  const saved = await addPolicy({}, shop);
  assert.equal((await preview({}, { policy_id: saved.id })).requests, 1, 'of the project of the stored one');
});

test('a draft is weighed against the active policies of a project, above them or in its own place', async (t) => {
  const { addEvent, preview, shop, addPolicy, storage, organizationId } = await openPreview(t);
  await addEvent('redact', { projectId: shop });
  const { id: other } = await storage.projects.insert(organizationId, { name: 'Other' });
  await addPolicy({ action: 'block', priority: 2_000 }, other);
  await addPolicy({ action: 'block', priority: 2_000, isActive: false });
  assert.equal((await preview()).would.block, 1, 'neither one of another project nor an inactive one');
  const allowing = await addPolicy({ action: 'allow', priority: 3_000 });
  assert.equal((await preview()).would.block, 1, 'a new policy is above the others');
  const below = await addPolicy({ threatTypes: ['jailbreak'], priority: 2_500 });
  assert.equal((await preview({}, { policy_id: below.id })).would.block, 0);
  assert.equal((await preview({}, { policy_id: allowing.id })).would.block, 1);
  assert.equal((await preview({}, { policy_id: 'pol_none' })).would.block, 1);
});

test('a policy that is saved has the warnings of its effect, if it blocks and is enforced', async (t) => {
  const { addMany, addPolicy, storage, clock } = await openPreview(t);
  await addMany(1, 'redact');
  const warnings = [{ code: 'not_on_past_requests', message: 'x' }] as const;
  const warn = async (change: object) => {
    const policy = await addPolicy(change);
    const found = await warnOfEffect({ storage, clock }, policy, warnings);
    await storage.policies.remove(policy.organizationId, policy.id);
    return found;
  };
  assert.equal(await warn({ action: 'redact' }), warnings);
  assert.equal(await warn({ rules: { mode: 'monitor' } }), warnings);
  for (const rules of [{}, { blocked_domains: ['example.com'] }]) {
    const codes = (await warn({ rules })).map(({ code }) => code);
    assert.deepEqual(codes, ['blocks_everything', 'blocks_a_fifth']);
  }
});
