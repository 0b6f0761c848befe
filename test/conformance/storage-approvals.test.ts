import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PENDING_MS } from '../../apps/cloud/src/storage/model/approvals.ts';
import type { Exception, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { assertEmpty, createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

const MINUTE = 60_000;

onEveryEngine('Exceptions, tool requests and fleet settings', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  let nowMs = NOON;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
    testEnv = await createTestEnv(storage);
  });

  const ask = (change: object = {}): Promise<Exception> =>
    storage.exceptions.insert(testEnv.organizationId, {
      projectId: testEnv.projectId,
      deviceId: null,
      requestedBy: testEnv.keyId,
      requesterUserId: testEnv.userId,
      destinationHost: 'ChatGPT.com',
      hostKey: 'chatgpt.com',
      policyId: null,
      threat: 'pii_leak',
      reasonCategory: null,
      justification: 'a test\0',
      requestedMinutes: 30,
      ...change,
    });
  const approve = (id: string, minutes = 30) =>
    storage.exceptions.decide(testEnv.organizationId, id, {
      approve: true,
      decidedBy: 'usr_admin',
      reason: 'fine',
      minutes,
    });
  const counting = async (place: object = {}, host?: string) =>
    (
      await storage.exceptions.listActive(
        testEnv.organizationId,
        { projectId: testEnv.projectId, deviceId: null, ...place },
        host,
      )
    ).map(({ id }) => id);

  test('a denied exception has no period and is never active', async () => {
    const { id } = await ask();
    const decision = { approve: false, decidedBy: 'usr_admin', reason: 'No.', minutes: 5 };
    const denied = await storage.exceptions.decide(testEnv.organizationId, id, decision);
    assert.deepEqual([denied?.status, denied?.startsAtMs, denied?.expiresAtMs], ['denied', null, null]);
    assert.equal((await counting()).includes(id), false);
  });

  test('an exception is active from its approval until it expires, without a job that closes it', async () => {
    const requested = await ask();
    assert.match(requested.id, /^exc_[0-9A-Za-z]{16}$/);
    assert.deepEqual(
      [requested.status, requested.startsAtMs, requested.expiresAtMs],
      ['pending', null, null],
    );
    assert.equal(requested.justification, 'a test\ufffd');
    assert.deepEqual(await counting(), []);
    nowMs += MINUTE;
    const approved = await approve(requested.id);
    assert.deepEqual(
      [approved?.status, approved?.startsAtMs, approved?.expiresAtMs, approved?.decidedBy],
      ['approved', nowMs, nowMs + 30 * MINUTE, 'usr_admin'],
    );
    assert.deepEqual(await counting(), [requested.id]);
    assert.deepEqual(await counting({}, 'chatgpt.com'), [requested.id]);
    assert.deepEqual(await counting({}, 'claude.ai'), []);
    nowMs += 30 * MINUTE - 1;
    assert.deepEqual(await counting(), [requested.id]);
    nowMs += 1;
    assert.deepEqual(await counting(), []);
    assert.equal((await storage.exceptions.get(testEnv.organizationId, requested.id))?.status, 'expired');
    const listed = async (status: Exception['status']) =>
      (await storage.exceptions.list(testEnv.organizationId, { status })).map(({ id }) => id);
    assert.deepEqual(await listed('approved'), []);
    assert.deepEqual(await listed('expired'), [requested.id]);
    assert.equal(await storage.exceptions.cancel(testEnv.organizationId, requested.id, 'x'), null);
    assert.equal(await storage.exceptions.hasExpired(), true);
    const closed = await Promise.all([storage.exceptions.closeExpired(), storage.exceptions.closeExpired()]);
    assert.deepEqual(
      closed.flat().map(({ id }) => id),
      [requested.id],
      'recorded once',
    );
    assert.equal(await storage.exceptions.hasExpired(), false);
    assert.deepEqual(await listed('expired'), [requested.id]);
  });

  test('requests expire after a week, and can no longer be decided, cancelled or counted', async () => {
    const fresh = await createTestEnv(storage);
    const { organizationId } = fresh;
    const requested = { ...(await ask()), hostKey: 'chatgpt.com', deviceId: 'dev_late' };
    const exception = await storage.exceptions.insert(organizationId, requested);
    const toolRequest = await storage.toolRequests.insert(organizationId, {
      ...requested,
      requestedHost: 'grok.com',
      requestedName: null,
    });
    assert.equal(exception.pendingUntilMs, nowMs + PENDING_MS);
    const pending = async () => [
      await storage.exceptions.countPending(organizationId, 'dev_late'),
      await storage.toolRequests.countPending(organizationId, 'dev_late'),
      (await storage.exceptions.list(organizationId, { status: 'pending' })).length,
      (await storage.toolRequests.list(organizationId, { status: 'pending' })).length,
    ];
    nowMs += PENDING_MS - 1;
    assert.deepEqual(await pending(), [1, 1, 1, 1]);
    nowMs += 1;
    assert.deepEqual(await pending(), [0, 0, 0, 0]);
    const states = async () => {
      const one = await storage.exceptions.get(organizationId, exception.id);
      const other = await storage.toolRequests.get(organizationId, toolRequest.id);
      return [one?.status, one?.pendingUntilMs, other?.status, other?.pendingUntilMs];
    };
    assert.deepEqual(await states(), ['expired', null, 'cancelled', null]);
    const decision = { approve: true, decidedBy: 'usr_admin', reason: null };
    const late = { ...decision, minutes: 5 };
    assert.equal(await storage.exceptions.decide(organizationId, exception.id, late), null);
    assert.equal(await storage.toolRequests.decide(organizationId, toolRequest.id, decision), null);
    assert.equal(await storage.exceptions.cancel(organizationId, exception.id, 'x'), null);
    assert.equal(await storage.toolRequests.cancel(organizationId, toolRequest.id, 'x'), null);
    assert.equal(await storage.toolRequests.hasExpired(), true);
    const closed = (
      await Promise.all([storage.toolRequests.closeExpired(), storage.toolRequests.closeExpired()])
    )
      .flat()
      .map(({ id }) => id);
    assert.deepEqual(closed, [toolRequest.id], 'stored once');
    const ended = (await storage.exceptions.closeExpired()).map(({ id }) => id);
    assert.ok(ended.includes(exception.id));
    assert.deepEqual(
      [await storage.exceptions.hasExpired(), await storage.toolRequests.hasExpired()],
      [false, false],
    );
    assert.deepEqual(await states(), ['expired', null, 'cancelled', null]);
  });

  test('of concurrent decisions one wins', async () => {
    const { id } = await ask();
    const decisions = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        storage.exceptions.decide(testEnv.organizationId, id, {
          approve: i % 2 === 0,
          decidedBy: `usr_${i}`,
          reason: null,
          minutes: 5,
        }),
      ),
    );
    assert.equal(decisions.filter((one) => one !== null).length, 1);
    const stored = await storage.exceptions.get(testEnv.organizationId, id);
    assert.equal(stored?.decidedBy, decisions.find((one) => one !== null)?.decidedBy);
    if (stored?.status === 'approved') await storage.exceptions.cancel(testEnv.organizationId, id, 'usr_x');
  });

  test('cancels pending and active exceptions only, and never of another organization', async () => {
    const pending = await ask();
    assert.equal(await storage.exceptions.cancel('org_none', pending.id, 'x'), null);
    assert.equal(await storage.exceptions.get('org_none', pending.id), null);
    assert.equal(
      (await storage.exceptions.cancel(testEnv.organizationId, pending.id, 'x'))?.status,
      'cancelled',
    );
    assert.equal(await storage.exceptions.cancel(testEnv.organizationId, pending.id, 'x'), null);
    assert.equal(await approve(pending.id), null, 'a cancelled one is never approved');
    const active = await ask();
    await approve(active.id);
    assert.deepEqual(await counting(), [active.id]);
    assert.equal(
      (await storage.exceptions.cancel(testEnv.organizationId, active.id, 'x'))?.status,
      'cancelled',
    );
    assert.deepEqual(await counting(), []);
  });

  test('an exception applies to its device, else to its project, else to all', async () => {
    const other = await storage.projects.insert(testEnv.organizationId, { name: 'other' });
    const own = await ask({ deviceId: 'dev_a', requesterUserId: null, requestedBy: 'dev_a' });
    const project = await ask();
    const everywhere = await ask({ projectId: null });
    for (const { id } of [own, project, everywhere]) await approve(id);
    const at = async (place: object) => (await counting(place)).sort();
    const ids = (...exceptions: Exception[]) => exceptions.map(({ id }) => id).sort();
    assert.deepEqual(await at({ deviceId: 'dev_a' }), ids(own, project, everywhere));
    assert.deepEqual(await at({ deviceId: 'dev_b' }), ids(project, everywhere));
    assert.deepEqual(await at({}), ids(project, everywhere));
    assert.deepEqual(await at({ projectId: other.id }), ids(everywhere));
    assert.deepEqual(await at({ projectId: null }), ids(everywhere));
    assert.deepEqual(
      (await storage.exceptions.list(testEnv.organizationId, { deviceId: 'dev_a' })).map(({ id }) => id),
      [own.id],
    );
    for (const { id } of [own, project, everywhere])
      await storage.exceptions.cancel(testEnv.organizationId, id, 'x');
  });

  test('pages continue after the previous one, also within one millisecond', async () => {
    const fresh = await createTestEnv(storage);
    const input = { ...(await ask()), hostKey: 'chatgpt.com' };
    for (let i = 0; i < 7; i++) await storage.exceptions.insert(fresh.organizationId, input);
    const seen: string[] = [];
    let before: { createdAtMs: number; id: string } | undefined;
    for (;;) {
      const page = await storage.exceptions.list(fresh.organizationId, {
        limit: 3,
        ...(before === undefined ? {} : { before }),
      });
      seen.push(...page.map(({ id }) => id));
      if (page.length < 3) break;
      before = page.at(-1)!;
    }
    assert.equal(new Set(seen).size, 7);
    assert.equal(seen.length, 7);
  });

  test('lists changes by organization, from the given time', async () => {
    const stranger = await createTestEnv(storage);
    nowMs += 10 * MINUTE;
    const sinceMs = nowMs;
    assert.deepEqual(await storage.exceptions.changedSince([testEnv.organizationId], sinceMs), []);
    const { id } = await ask();
    const request = await storage.toolRequests.insert(testEnv.organizationId, {
      projectId: null,
      deviceId: null,
      requestedBy: 'key_a',
      requesterUserId: null,
      requestedHost: 'grok.com',
      requestedName: null,
      justification: null,
    });
    const changed = async (organizations: string[]) => [
      ...(await storage.exceptions.changedSince(organizations, sinceMs)).map((one) => one.id),
      ...(await storage.toolRequests.changedSince(organizations, sinceMs)).map((one) => one.id),
    ];
    assert.deepEqual(await changed([testEnv.organizationId, 'org_none']), [id, request.id]);
    assert.deepEqual(await changed([stranger.organizationId]), []);
    assert.deepEqual(await changed([]), []);
    const device = await storage.devices.insert(testEnv.organizationId, { name: 'A', platform: 'linux' });
    const revoked = () => storage.fleetSettings.revokedSince([testEnv.organizationId], sinceMs);
    assert.deepEqual(await revoked(), []);
    await storage.devices.revoke(testEnv.organizationId, device.id);
    assert.deepEqual(await revoked(), [device.id]);
    assert.deepEqual(await storage.fleetSettings.revokedSince([stranger.organizationId], sinceMs), []);
    assert.deepEqual(await storage.fleetSettings.revokedSince([testEnv.organizationId], sinceMs + 1), []);
  });

  test('a tool request is decided once, and can be cancelled while pending or approved', async () => {
    const insert = (deviceId: string | null) =>
      storage.toolRequests.insert(testEnv.organizationId, {
        projectId: testEnv.projectId,
        deviceId,
        requestedBy: deviceId ?? testEnv.keyId,
        requesterUserId: null,
        requestedHost: 'grok.com',
        requestedName: 'Grok',
        justification: null,
      });
    const decide = (id: string, isApproved: boolean) =>
      storage.toolRequests.decide(testEnv.organizationId, id, {
        approve: isApproved,
        decidedBy: 'usr_admin',
        reason: null,
      });
    const approved = async (deviceId: string | null) =>
      (
        await storage.toolRequests.listApproved(testEnv.organizationId, {
          projectId: testEnv.projectId,
          deviceId,
        })
      ).map(({ id }) => id);
    const mine = await insert('dev_a');
    assert.match(mine.id, /^treq_[0-9A-Za-z]{16}$/);
    assert.equal(await storage.toolRequests.countPending(testEnv.organizationId, 'dev_a'), 1);
    assert.equal((await decide(mine.id, true))?.status, 'approved');
    assert.equal(await decide(mine.id, false), null);
    assert.deepEqual(await approved('dev_a'), [mine.id]);
    assert.deepEqual(await approved('dev_b'), []);
    assert.equal(
      (await storage.toolRequests.cancel(testEnv.organizationId, mine.id, 'x'))?.status,
      'cancelled',
    );
    assert.equal(await storage.toolRequests.cancel(testEnv.organizationId, mine.id, 'x'), null);
    const denied = await insert(null);
    assert.equal((await decide(denied.id, false))?.status, 'denied');
    assert.equal(await storage.toolRequests.cancel(testEnv.organizationId, denied.id, 'x'), null);
    assert.equal(await storage.toolRequests.get('org_none', denied.id), null);
    const listed = await storage.toolRequests.list(testEnv.organizationId, { status: 'denied' });
    assert.deepEqual(
      listed.map(({ id }) => id),
      [denied.id],
    );
  });

  test('fleet settings keep fields that a change does not name', async () => {
    const { organizationId } = await createTestEnv(storage);
    assert.equal((await storage.fleetSettings.get(organizationId)).mode, 'enforce');
    await storage.fleetSettings.set(organizationId, { mode: 'monitor', blockedTools: ['grok.com'] });
    await storage.fleetSettings.set(organizationId, { pinnedChannel: 'beta' });
    const settings = await storage.fleetSettings.get(organizationId);
    assert.deepEqual(
      [settings.mode, settings.blockedTools, settings.pinnedChannel, settings.fleet],
      ['monitor', ['grok.com'], 'beta', null],
    );
    assert.equal((await storage.fleetSettings.get(testEnv.organizationId)).mode, 'enforce');
  });

  test('missing ids return null or do nothing: exceptions and requests', async () => {
    const { exceptions, toolRequests, fleetSettings } = storage;
    const decision = { approve: true, decidedBy: 'usr_none', reason: null };
    await assertEmpty({
      exception: exceptions.get('org_none', 'exc_none'),
      exceptions: exceptions.list('org_none'),
      decided: exceptions.decide('org_none', 'exc_none', { ...decision, minutes: 5 }),
      cancelled: exceptions.cancel('org_none', 'exc_none', 'usr_none'),
      devices: exceptions.listActiveDevices('org_none'),
      'changed in none': exceptions.changedSince([], 0),
      request: toolRequests.get('org_none', 'req_none'),
      requests: toolRequests.list('org_none'),
      'request decided': toolRequests.decide('org_none', 'req_none', decision),
      'request cancelled': toolRequests.cancel('org_none', 'req_none', 'usr_none'),
      'requests changed in none': toolRequests.changedSince([], 0),
      'revoked in none': fleetSettings.revokedSince([], 0),
    });
  });
});
