import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import pg from 'pg';
import type { EventFinding, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { until } from '../support/until.ts';
import {
  assertEmpty,
  createTestEnv,
  makeEvent,
  makeRecord,
  NOON,
  onEveryEngine,
  type TestEnv,
} from './storage-engines.ts';

onEveryEngine('Usage, feedback and security test runs', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  let nowMs = NOON;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
    testEnv = await createTestEnv(storage);
  });

  test('events are found by session and tag, and usage is also summed by the labels of a project', async () => {
    const { id: organizationId } = await storage.organizations.insert({
      ...{ kind: 'team', name: 'Labeled', ownerId: testEnv.userId },
    });
    const project = await storage.projects.insert(organizationId, { name: 'Labeled' });
    const labeled = (session: string | null, tags: readonly string[], isSessionNamed = false) => {
      const record = makeRecord(organizationId, { projectId: project.id, direction: 'input', session, tags });
      const call = { isError: false, ms: 1, tokens: { input: 3, output: 4 } };
      return storage.decisions.record({ ...record, call, isSessionNamed });
    };
    await Promise.all([
      labeled('night', ['app=bus', 'team=100%'], true),
      labeled('night', ['team=red'], true),
      labeled('run_1', ['team=100%']),
      labeled(null, []),
    ]);
    await labeled('night', ['team=red'], true);
    const found = async (filter: object) =>
      (await storage.events.page(organizationId, { filter })).events
        .map(({ tags = [] }) => tags.join())
        .sort();
    assert.deepEqual(await found({ session: 'night' }), ['app=bus,team=100%', 'team=red', 'team=red']);
    assert.deepEqual(await found({ session: 'run_1', tag: 'team=100%' }), ['team=100%']);
    assert.deepEqual(await found({ tag: 'team=10_%' }), []);
    const range = { fromDay: '2000-01-01', toDay: '2100-01-01' };
    const sums = async (label: string) =>
      (await storage.usageDetails.sumLabels(organizationId, project.id, range, { by: ['label'], label }))
        .map(({ label: name, requests, inputTokens }) => [name, requests, inputTokens])
        .sort();
    assert.deepEqual(await sums('session='), [['session=night', 3, 9]]);
    assert.deepEqual(await sums('tag=team='), [
      ['tag=team=100%', 2, 6],
      ['tag=team=red', 2, 6],
    ]);
    assert.deepEqual(await sums('tag=app=bus'), [['tag=app=bus', 1, 3]]);
  });

  test('usage is counted with a decision, once for each event, including the provider call', async () => {
    const organization = await storage.organizations.insert({
      ...{ kind: 'team', name: 'Counted', ownerId: testEnv.userId },
    });
    const record = makeRecord(organization.id, { direction: 'output', model: 'm', decision: 'block' });
    const call = { isError: false, ms: 12, tokens: { input: 3, output: 4 } };
    await storage.decisions.record({ ...record, call });
    await storage.decisions.record({ ...record, call });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        storage.decisions.record(makeRecord(organization.id, { direction: 'input', model: `m${index % 2}` })),
      ),
    );
    const range = { fromDay: '2000-01-01', toDay: '2100-01-01' };
    const sums = await storage.usageDetails.sum(organization.id, range, ['model']);
    const of = (model: string) => sums.find((one) => one.model === model)!;
    assert.deepEqual(
      [
        of('m').requests,
        of('m').blocked,
        of('m').calls,
        of('m').inputTokens,
        of('m').outputTokens,
        of('m').callMs,
      ],
      [0, 1, 1, 3, 4, 12],
    );
    assert.deepEqual([of('m0').requests, of('m1').requests, sums.length], [10, 10, 3]);
  });

  test('usage adds up by the grouped fields, for the days of one organization', async () => {
    const { organizationId, projectId } = testEnv;
    const counts = {
      ...{ requests: 2, blocked: 1, redacted: 0, rejected: 0, calls: 1, callErrors: 0, unmetered: 0 },
      ...{ inputTokens: 3_000_000_000, outputTokens: 5, scans: 2, scanUs: 900, callMs: 20.4 },
    };
    const place = { organizationId, projectId, keyId: 'key_1', deviceId: '', model: 'm\0' };
    const { usageDetails } = storage;
    await usageDetails.add([
      { ...place, ...counts, day: '2026-11-20' },
      { ...place, ...counts, day: '2026-11-21' },
    ]);
    await usageDetails.add([{ ...place, ...counts, day: '2026-11-20', requests: 5 }]);
    const range = { fromDay: '2026-11-20', toDay: '2026-11-20' };
    const [row, ...rest] = await usageDetails.sum(organizationId, range, ['keyId', 'model']);
    assert.deepEqual(rest, []);
    assert.deepEqual(
      [row!.keyId, row!.model, row!.requests, row!.inputTokens, row!.callMs],
      ['key_1', 'm\uFFFD', 7, 6_000_000_000, 40],
    );
    const both = await usageDetails.sum(organizationId, { ...range, toDay: '2026-11-21' }, ['day']);
    assert.equal(both.length, 2);
    assert.deepEqual(await usageDetails.sum('org_none', range, ['day']), []);
    assert.deepEqual(await usageDetails.getPrices(organizationId), []);
    const prices = [{ model: 'm*', input_usd: 1.5, output_usd: 2 }];
    await usageDetails.setPrices(organizationId, []);
    await usageDetails.setPrices(organizationId, prices);
    assert.deepEqual(await usageDetails.getPrices(organizationId), prices);
  });

  test('writers of the same usage do not deadlock, in whatever order they have it', {
    skip: engine.name === 'SQLite' && 'it has one writer',
  }, async () => {
    const { organizationId, projectId } = await createTestEnv(storage);
    const other = new pg.Client({ connectionString: engine.options().databaseUrl });
    await other.connect();
    const rows = ['key_a', 'key_b'].map((keyId) => ({
      ...{ organizationId, projectId, keyId, deviceId: '', model: 'm', day: '2026-11-20' },
      ...{ requests: 1, blocked: 0, redacted: 0, rejected: 0, calls: 0, callErrors: 0, unmetered: 0 },
      ...{ inputTokens: 0, outputTokens: 0, scans: 0, scanUs: 0, callMs: 0 },
    }));
    const addOne = (keyId: string) =>
      other.query(
        'UPDATE usage_details SET requests = requests + 1 WHERE organization_id = $1 AND key_id = $2',
        [organizationId, keyId],
      );
    try {
      await storage.usageDetails.add(rows);
      for (const order of [rows, rows.toReversed()]) {
        await other.query('BEGIN');
        await addOne('key_a');
        const adding = storage.usageDetails.add(order);
        await until(
          async () => (await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount,
          (count) => count !== 0,
        );
        await addOne('key_b');
        await other.query('COMMIT');
        await adding;
      }
    } finally {
      await other.end();
    }
    const range = { fromDay: '2026-11-20', toDay: '2026-11-20' };
    const sums = await storage.usageDetails.sum(organizationId, range, ['keyId']);
    assert.deepEqual(
      sums.map(({ requests }) => requests),
      [5, 5],
    );
  });

  test('counts events by decision and threat, within the period and the organization only', async () => {
    const { organizationId, projectId } = testEnv;
    const failed = { reason: 'TimeoutError', failMode: 'open' } as const;
    for (const change of [
      { decision: 'allow', latencyUs: 100 },
      { decision: 'allow', latencyUs: 200, failed },
      { decision: 'block', threatType: 'jailbreak', projectId, latencyUs: 300 },
      { decision: 'block', threatType: 'jailbreak', atMs: NOON + 1000, deviceId: 'dev_1', latencyUs: 400 },
      { decision: 'block', threatType: 'pii_leak', atMs: NOON - 1 },
    ] as const) {
      await storage.decisions.record(makeRecord(organizationId, change));
    }
    await storage.decisions.record(makeRecord('org_other', { decision: 'block' }));
    const span = { fromMs: NOON, toMs: NOON + 2000 };
    const counts = await storage.eventCounts.count(organizationId, span);
    assert.deepEqual(
      counts.map((c) => [c.decision, c.threatType, c.count, c.failed]).sort(),
      [
        ['allow', null, 2, 1],
        ['block', 'jailbreak', 2, 0],
      ].sort(),
    );
    const ofProject = await storage.eventCounts.count(organizationId, { ...span, projectId });
    assert.deepEqual(
      ofProject.map((c) => c.count),
      [1],
    );
    const latencies = await storage.eventCounts.latenciesUs(organizationId, { fromMs: NOON }, 10);
    assert.deepEqual([...latencies].sort(), [100, 200, 300]);
  });

  test('feedback on an event is stored once, replaced, listed newest first, and withdrawn', async () => {
    const { organizationId, userId } = testEnv;
    const event = makeEvent(organizationId, { decision: 'block', threatType: 'jailbreak' });
    const mark = {
      ...{ projectId: event.projectId, deviceId: null, requestedBy: userId, requesterUserId: userId },
      ...{ eventId: event.id, justification: 'ours\0', event },
      ...({ allowText: false, status: 'recorded' } as const),
    };
    const { id } = await storage.requests.report(organizationId, mark);
    assert.match(id, /^fbk_/);
    nowMs += 1000;
    await storage.requests.report(organizationId, { ...mark, justification: 'a template of ours' });
    const other = makeEvent(organizationId, { decision: 'block', projectId: testEnv.projectId });
    nowMs += 1000;
    await storage.requests.report(organizationId, {
      ...{ ...mark, projectId: testEnv.projectId, eventId: other.id, event: other },
    });
    assert.deepEqual(
      (await storage.requests.list(organizationId, { kind: 'false_positive' })).map(
        ({ eventId, justification }) => [eventId, justification],
      ),
      [
        [other.id, 'ours\ufffd'],
        [event.id, 'a template of ours'],
      ],
    );
    assert.equal(
      (await storage.requests.list(organizationId, { kind: 'false_positive', projectId: testEnv.projectId }))
        .length,
      1,
    );
    const found = await storage.requests.findReport(organizationId, event.id);
    assert.deepEqual([found?.id, found?.event], [id, event]);
    assert.equal(await storage.requests.findReport('org_other', event.id), null);
    assert.equal(await storage.requests.remove('org_other', id), false);
    assert.equal(await storage.requests.remove(organizationId, id), true);
    assert.equal(await storage.requests.remove(organizationId, id), false);
  });

  test('runs of the security tests are stored and listed newest first, for their organization', async () => {
    const { organizationId, userId } = testEnv;
    const run = { targetPreset: 'default:strict', startedBy: userId, durationMs: 12.4, report: '{"a":1}' };
    const first = await storage.securityTestRuns.insert(organizationId, run);
    nowMs += 1000;
    const second = await storage.securityTestRuns.insert(organizationId, run);
    assert.match(first.id, /^run_[0-9A-Za-z]{16}$/);
    assert.equal(first.durationMs, 12);
    assert.deepEqual(
      (await storage.securityTestRuns.list(organizationId)).map(({ id }) => id),
      [second.id, first.id],
    );
    assert.equal(await storage.securityTestRuns.get('org_other', first.id), null);
    assert.deepEqual(await storage.securityTestRuns.get(organizationId, first.id), first);
  });

  test('missing ids return null or do nothing: feedback and runs', async () => {
    const { requests, securityTestRuns } = storage;
    const decision = { approve: true, decidedBy: 'usr_none', reason: null };
    await assertEmpty({
      feedback: requests.findReport('org_none', 'evt_none'),
      found: requests.get('org_none', 'fbk_none', 'false_positive'),
      decided: requests.decide('org_none', 'fbk_none', decision),
      removed: requests.remove('org_none', 'evt_none'),
      run: securityTestRuns.get('org_none', 'run_none'),
      runs: securityTestRuns.list('org_none'),
      events: storage.events.find('org_none', []),
    });
  });

  test('counts masked and failed calls, and those without a token count', async () => {
    const { id } = await storage.organizations.insert({
      ...{ kind: 'team', name: 'Calls', ownerId: testEnv.userId },
    });
    const tokens = { input: 3, output: 4 };
    for (const call of [
      { isError: false, ms: 10.6, tokens },
      { isError: false, ms: 1, tokens: null },
      { isError: true, ms: 1, tokens: null },
    ])
      await storage.decisions.record({ ...makeRecord(id, { decision: 'redact', latencyUs: 100 }), call });
    await storage.decisions.record(makeRecord(id, { latencyUs: 100 }));
    const [sum] = await storage.usageDetails.sum(id, { fromDay: '2000-01-01', toDay: '2100-01-01' }, [
      'model',
    ]);
    assert.partialDeepStrictEqual(sum, {
      ...{ requests: 4, blocked: 0, redacted: 3, calls: 3, callErrors: 1, unmetered: 1 },
      ...{ inputTokens: 3, outputTokens: 4, scans: 4, scanUs: 400, callMs: 13 },
    });
  });

  test('counts and latencies are of the project, the direction and the time that is asked for', async () => {
    const { organizationId, projectId } = await createTestEnv(storage);
    const finding: EventFinding = {
      ...{ rule: 'pii.ssn', type: 'pii_leak', path: '/', role: 'user', start: 0, end: 1, confidence: 1 },
    };
    const record = (change: Parameters<typeof makeRecord>[1]) =>
      storage.decisions.record(makeRecord(organizationId, change));
    await record({ latencyUs: 1 });
    await record({ latencyUs: 2, direction: 'output', atMs: NOON + 5 });
    await record({ latencyUs: 3, projectId, findings: [finding], atMs: NOON + 9 });
    await record({ latencyUs: 4, deviceId: 'dev_a', findings: [finding], atMs: NOON + 10 });
    const { count, countFound, latenciesUs } = storage.eventCounts;
    const span = { fromMs: NOON, toMs: NOON + 10 };
    const total = async (change: object) =>
      (await count(organizationId, { ...span, ...change })).reduce((sum, row) => sum + row.count, 0);
    assert.deepEqual(
      [
        await total({}),
        await total({ toMs: NOON + 11 }),
        await total({ fromMs: NOON + 5 }),
        await total({ direction: 'output' }),
        await total({ direction: 'input' }),
        await total({ projectId }),
      ],
      [3, 4, 2, 1, 2, 1],
    );
    const found = (change: object) => countFound(organizationId, { ...span, ...change });
    assert.deepEqual(
      [await found({}), await found({ toMs: NOON + 11 }), await found({ toMs: NOON + 9 })],
      [1, 2, 0],
    );
    assert.deepEqual([await found({ projectId }), await found({ projectId: 'proj_none' })], [1, 0]);
    const latencies = (filter: object, limit = 10) => latenciesUs(organizationId, filter, limit);
    assert.deepEqual(await latencies({}), [3, 2, 1], 'those of the service, newest first');
    assert.deepEqual(await latencies({}, 2), [3, 2]);
    assert.deepEqual([await latencies({ projectId }), await latencies({ fromMs: NOON + 5 })], [[3], [3, 2]]);
  });
});
