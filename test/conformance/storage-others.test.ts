/** Methods that no other suite calls, so that each statement is recorded and measured (storage-costs.test.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEmpty, createTestEnv, makeRecord, NOON, onEveryEngine } from './storage-engines.ts';

const DAY = '2026-11-20';

onEveryEngine('Other methods of storage', (engine) => {
  test('find nothing of what is not there', async () => {
    const s = await engine.open();
    const { organizationId: org, userId, keyId, projectId } = await createTestEnv(s);
    const scope = { organizationId: org, projectId };
    await assertEmpty({
      endSso: s.sessions.endSso(org),
      listOpenTo: s.invitations.listOpenTo('nobody@example.com'),
      hasProviders: s.singleSignOn.hasProviders(),
      pruneSignIns: s.singleSignOn.prune(NOON),
      countPending: s.deliveries.countPending(),
      listAlerts: s.usageAlerts.list('2026-11', 1),
      listSent: s.usageAlerts.listSent(userId, '2026-11'),
      revokeByMember: s.enrollments.revokeByMember(org, userId),
      listDevicesApproved: s.requests.listDevicesApproved(org),
      findTexts: s.allowedTexts.find(scope, ['a', 'b']),
      listTexts: s.allowedTexts.list(org),
      listTextsOfProject: s.allowedTexts.list(org, { projectId }),
      removeText: s.allowedTexts.remove(org, 'alt_none'),
      removeTextsOfEvent: s.allowedTexts.removeOfEvent(org, 'evt_none'),
      listFilters: s.savedFilters.list(org, userId),
      removeFilter: s.savedFilters.remove(org, userId, 'flt_none'),
      listTokens: s.organizationTokens.list(org),
      removeToken: s.organizationTokens.remove(org, 'adm_none'),
      findToken: s.organizationTokens.find('none', NOON),
      countPendingJobs: s.scrapeJobs.countPending(org),
      listUnstamped: s.audit.listUnstamped(),
      latestTimestamp: s.audit.latestTimestamp(org),
      tokensOf: s.usage.tokensOf({ organizationId: org, keyId, day: DAY }),
      pruneExpired: s.events.pruneExpired(NOON, 30),
      eraseUser: s.erasures.eraseUser('usr_none'),
    });
  });

  test('change what is there', async () => {
    const s = await engine.open();
    const { organizationId: org, userId, keyId, projectId } = await createTestEnv(s);
    await s.directory.noteMadeAccount(org, userId);
    await s.transaction((t) => t.organizations.lock(org));
    await s.organizations.setRequiresSecondFactor(org, true);
    await s.organizations.setSsoOnly(org, true);
    const changed = await s.organizations.get(org);
    assert.deepEqual([changed?.requiresSecondFactor, changed?.ssoOnly], [true, true]);
    await s.members.choose(org, userId);
    const counter = { organizationId: org, keyId, day: DAY };
    await s.usage.addTokens(counter, 5);
    await s.usage.adjustTokens(counter, -2);
    assert.equal(await s.usage.reserveTokens(counter, 1, 3), 3);
    assert.equal(await s.usage.tokensOf(counter), 3);
    assert.equal(await s.usageAlerts.claim(userId, '2026-11', 80 as never), true);
    await s.savedFilters.insert(org, userId, { name: 'mine', query: '?decision=block' });
    assert.equal((await s.savedFilters.list(org, userId)).length, 1);
    const text = { textKey: 'a', threatTypes: [], eventId: 'evt_a', approvedBy: userId };
    await s.allowedTexts.insert({ organizationId: org, projectId }, text);
    assert.equal((await s.allowedTexts.find({ organizationId: org, projectId }, ['a'])).length, 1);
    const given = { name: 'mine', scopes: [], createdBy: userId, expiresAtMs: null };
    const { token } = await s.organizationTokens.create(org, given as never);
    assert.equal((await s.organizationTokens.find(token, NOON))?.token.name, 'mine');
  });

  test('events are found by id, those of the organization only', async () => {
    const s = await engine.open();
    const [one, other] = [await createTestEnv(s), await createTestEnv(s)];
    const ids: string[] = [];
    for (const { organizationId } of [one, one, other]) {
      const record = makeRecord(organizationId);
      ids.push(record.event.id);
      await s.decisions.record(record);
    }
    const found = await s.events.find(one.organizationId, ids);
    assert.deepEqual(found.map(({ id }) => id).sort(), ids.slice(0, 2).sort());
    const { kinds, lastSeq } = await s.audit.summarize(one.organizationId, { fromMs: 0, toMs: NOON * 2 });
    assert.deepEqual([[...kinds], lastSeq], [[['policy_allow', 2]], 2]);
  });
});
