import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { assertEmpty, createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

const HOUR = 3_600_000;

onEveryEngine('Agents', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  let other: TestEnv;
  let nowMs = NOON;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
    testEnv = await createTestEnv(storage);
    other = await createTestEnv(storage);
  });

  test("a project's lists are replaced as a whole, and only by its own organization", async () => {
    const lists = { blocked_tools: ['a'], allowed_tools: [], review_required_tools: ['b'] };
    assert.equal(await storage.toolLists.get(testEnv.organizationId, testEnv.projectId), null);
    await storage.toolLists.set(testEnv.organizationId, testEnv.projectId, lists);
    await storage.toolLists.set(other.organizationId, testEnv.projectId, { ...lists, blocked_tools: [] });
    assert.deepEqual(await storage.toolLists.get(testEnv.organizationId, testEnv.projectId), lists);
    assert.equal(await storage.toolLists.get(other.organizationId, testEnv.projectId), null);
  });

  test('calls are counted by agent, tool and time, and deleted later', async () => {
    const call = (id: string, toolName: string, change: object = {}) =>
      storage.agentCalls.insert(testEnv.organizationId, {
        ...{ id, projectId: testEnv.projectId, agentId: 'a\0b', sessionId: null, toolName, isAllowed: true },
        ...{ riskScore: 0.25, anomalies: [], atMs: nowMs, ...change },
      });
    await call('evt_1', 'read', { atMs: nowMs - HOUR });
    await call('evt_2', 'read');
    await call('evt_3', 'send', { isAllowed: false, riskScore: 0.75, anomalies: ['burst', 'new_tool'] });
    const { organizationId } = testEnv;
    assert.deepEqual(await storage.agentCalls.history(organizationId, 'a\0b', 'read', nowMs - 1000), {
      ...{ total: 3, ofTool: 2, recent: 2 },
    });
    const totals = await storage.agentCalls.totals(organizationId, 'a\0b');
    assert.deepEqual(
      { ...totals, meanRisk: totals.meanRisk.toFixed(4) },
      {
        ...{ calls: 3, blocked: 1, meanRisk: '0.4167', anomalies: 1 },
      },
    );
    const none = { calls: 0, blocked: 0, meanRisk: 0, anomalies: 0 };
    assert.deepEqual(await storage.agentCalls.totals(other.organizationId, 'a\0b'), none);
    await storage.agentCalls.prune(nowMs);
    assert.equal((await storage.agentCalls.totals(organizationId, 'a\0b')).calls, 2);
  });

  test('a threat in a session stays recorded despite later harmless reading', async () => {
    const note = (source: 'guard' | 'scrape', isThreat: boolean) =>
      storage.sessionTaints.note(testEnv.organizationId, 's', { source, isThreat, atMs: ++nowMs });
    await note('scrape', true);
    await note('scrape', false);
    await note('guard', false);
    assert.deepEqual(await storage.sessionTaints.list(testEnv.organizationId, 's'), [
      { source: 'guard', isThreat: false, atMs: nowMs },
      { source: 'scrape', isThreat: true, atMs: nowMs - 1 },
    ]);
    assert.deepEqual(await storage.sessionTaints.list(other.organizationId, 's'), []);
  });

  test('the first note on a text of a conversation stays, for its project, until it is old', async () => {
    const notes = storage.conversationNotes;
    const keyOf = (scope: TestEnv, text: string) => notes.keyOf(scope, 'exception', ['host', text]);
    const [one, two] = [keyOf(testEnv, 'one'), keyOf(testEnv, 'two')];
    assert.match(one, /^exception:[\w-]{22}$/);
    assert.notEqual(one, keyOf(other, 'one'));
    assert.equal(await notes.hasAny(testEnv, 'exception'), false);
    assert.deepEqual([...(await notes.keep(testEnv, new Map([[one, 'exc_1']])))], [[one, 'exc_1']]);
    const many = new Map(
      [one, two, ...Array.from({ length: 250 }, (_, i) => keyOf(testEnv, `text ${i}`))].map((key) => [
        key,
        'exc_2',
      ]),
    );
    const kept = await notes.keep(testEnv, many);
    assert.deepEqual([kept.size, kept.get(one), kept.get(two)], [252, 'exc_1', 'exc_2']);
    assert.equal(await notes.hasAny(testEnv, 'exception'), true);
    assert.equal(await notes.hasAny({ ...testEnv, projectId: null }, 'exception'), false);
    assert.equal(await notes.hasAny(other, 'exception'), false);
    assert.deepEqual([...(await notes.find(other, [one]))], []);
    await notes.prune(nowMs);
    assert.equal((await notes.find(testEnv, [...many.keys()])).size, 252);
    await notes.prune(nowMs + 1);
    assert.equal(await notes.hasAny(testEnv, 'exception'), false);
  });

  test('a review applies to one call, is decided once, used once, and expires', async () => {
    const { organizationId } = testEnv;
    const ask = (call: string) =>
      storage.requests.insert(organizationId, 'tool_review', {
        ...{ projectId: testEnv.projectId, deviceId: null, requestedBy: testEnv.keyId },
        ...{
          requesterUserId: null,
          agentId: 'a',
          sessionId: null,
          toolName: 'pay',
          subject: call,
          arguments: { call },
          reason: 'listed',
          endsInMs: HOUR,
        },
      });
    const decide = (id: string, approve: boolean) =>
      storage.requests.decide(organizationId, id, {
        ...{ approve, decidedBy: 'usr_1', reason: null, endsInMs: HOUR },
      });
    const requested = await ask('pay 5');
    assert.match(requested.id, /^trev_/);
    assert.deepEqual(requested.arguments, { call: 'pay 5' });
    assert.equal(
      (await storage.requests.findOpen(organizationId, 'tool_review', ['pay 5']))?.id,
      requested.id,
    );
    assert.equal(await storage.requests.findOpen(organizationId, 'tool_review', ['pay 6']), null);
    assert.equal(await storage.requests.findOpen(organizationId, 'tool_review', []), null);
    assert.equal(await storage.requests.findOpen(other.organizationId, 'tool_review', ['pay 5']), null);
    assert.equal(await storage.requests.use(organizationId, requested.id), false, 'it is pending');
    assert.equal((await decide(requested.id, true))?.status, 'approved');
    assert.equal(await decide(requested.id, false), null, 'already decided');
    const raced = await Promise.all(
      Array.from({ length: 5 }, () => storage.requests.use(organizationId, requested.id)),
    );
    assert.equal(raced.filter(Boolean).length, 1);
    assert.equal(await storage.requests.findOpen(organizationId, 'tool_review', ['pay 5']), null);

    nowMs++;
    const late = await ask('pay 7');
    assert.equal(
      await storage.requests.countPending(organizationId, 'tool_review', { requestedBy: testEnv.keyId }),
      1,
    );
    nowMs += HOUR;
    assert.equal((await storage.requests.get(organizationId, late.id, 'tool_review'))?.status, 'expired');
    assert.equal(await decide(late.id, true), null);
    assert.equal(
      await storage.requests.countPending(organizationId, 'tool_review', { requestedBy: testEnv.keyId }),
      0,
    );
    assert.deepEqual(
      await storage.requests.list(organizationId, { kind: 'tool_review', status: 'pending' }),
      [],
    );
    assert.deepEqual(
      (await storage.requests.list(organizationId, { kind: 'tool_review' })).map(({ status }) => status),
      ['expired', 'used'],
    );
  });

  test('missing ids return null or do nothing: reviews and lists', async () => {
    const { requests, toolLists } = storage;
    const verdict = { approve: true, decidedBy: 'usr_none', reason: null, endsInMs: 1 };
    await assertEmpty({
      review: requests.get('org_none', 'rev_none', 'tool_review'),
      reviews: requests.list('org_none', { kind: 'tool_review' }),
      open: requests.findOpen('org_none', 'tool_review', ['a call']),
      decided: requests.decide('org_none', 'rev_none', verdict),
      used: requests.use('org_none', 'rev_none'),
      lists: toolLists.get('org_none', 'proj_none'),
    });
  });
});
