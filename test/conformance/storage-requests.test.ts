import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Exception, Storage } from '../../apps/cloud/src/storage/storage.ts';
import {
  assertEmpty,
  createTestEnv,
  makeEvent,
  NOON,
  onEveryEngine,
  type TestEnv,
} from './storage-engines.ts';

const MINUTE = 60_000;
const PENDING_MS = 7 * 24 * 60 * MINUTE;
const LATE = {
  subject: 'chatgpt.com',
  deviceId: 'dev_late',
  endsInMs: PENDING_MS,
  status: 'pending',
} as const;

onEveryEngine('Requests and fleet settings', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  let nowMs = NOON;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
    testEnv = await createTestEnv(storage);
  });

  const ask = (change: object = {}): Promise<Exception> =>
    storage.requests.insert(testEnv.organizationId, 'exception', {
      projectId: testEnv.projectId,
      deviceId: null,
      requestedBy: testEnv.keyId,
      requesterUserId: testEnv.userId,
      destinationHost: 'ChatGPT.com',
      subject: 'chatgpt.com',
      policyId: null,
      threat: 'pii_leak',
      reasonCategory: 'ours\0',
      justification: 'a test\0',
      requestedMinutes: 30,
      endsInMs: PENDING_MS,
      ...change,
    });
  const approve = (id: string, minutes = 30) =>
    storage.requests.decide(testEnv.organizationId, id, {
      approve: true,
      decidedBy: 'usr_admin',
      reason: 'fine',
      endsInMs: minutes * MINUTE,
    });
  const counting = async (place: object = {}, host?: string) =>
    (
      await storage.requests.listApproved(
        testEnv.organizationId,
        'exception',
        { projectId: testEnv.projectId, deviceId: null, ...place },
        host,
      )
    ).map(({ id }) => id);

  test('a denied exception has no period and is never active', async () => {
    const { id } = await ask();
    const decision = { approve: false, decidedBy: 'usr_admin', reason: 'No.' };
    const denied = await storage.requests.decide(testEnv.organizationId, id, decision);
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
    assert.equal(requested.reasonCategory, 'ours\ufffd');
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
    assert.equal(
      (await storage.requests.get(testEnv.organizationId, requested.id, 'exception'))?.status,
      'expired',
    );
    const listed = async (status: Exception['status']) =>
      (await storage.requests.list(testEnv.organizationId, { kind: 'exception', status })).map(
        ({ id }) => id,
      );
    assert.deepEqual(await listed('approved'), []);
    assert.deepEqual(await listed('expired'), [requested.id]);
    assert.equal(await storage.requests.cancel(testEnv.organizationId, requested.id, 'x'), null);
    assert.equal(await storage.requests.hasExpired(), true);
    const closed = await Promise.all([storage.requests.closeExpired(), storage.requests.closeExpired()]);
    assert.deepEqual(
      closed.flat().map(({ id }) => id),
      [requested.id],
      'recorded once',
    );
    assert.equal(await storage.requests.hasExpired(), false);
    assert.deepEqual(await listed('expired'), [requested.id]);
  });

  test('requests expire after a week, and can no longer be decided, cancelled or counted', async () => {
    const fresh = await createTestEnv(storage);
    const { organizationId } = fresh;
    const requested = { ...(await ask()), ...LATE };
    const exception = await storage.requests.insert(organizationId, 'exception', requested);
    const toolRequest = await storage.requests.insert(organizationId, 'tool_request', {
      ...{ ...requested, status: 'pending' },
      requestedHost: 'grok.com',
      requestedName: null,
    });
    assert.equal(exception.pendingUntilMs, nowMs + PENDING_MS);
    const pending = async () => [
      await storage.requests.countPending(organizationId, 'exception', { deviceId: 'dev_late' }),
      await storage.requests.countPending(organizationId, 'tool_request', { deviceId: 'dev_late' }),
      (await storage.requests.list(organizationId, { kind: 'exception', status: 'pending' })).length,
      (await storage.requests.list(organizationId, { kind: 'tool_request', status: 'pending' })).length,
    ];
    nowMs += PENDING_MS - 1;
    assert.deepEqual(await pending(), [1, 1, 1, 1]);
    nowMs += 1;
    assert.deepEqual(await pending(), [0, 0, 0, 0]);
    const states = async () => {
      const one = await storage.requests.get(organizationId, exception.id, 'exception');
      const other = await storage.requests.get(organizationId, toolRequest.id, 'tool_request');
      return [one?.status, one?.pendingUntilMs, other?.status, other?.pendingUntilMs];
    };
    assert.deepEqual(await states(), ['expired', null, 'cancelled', null]);
    const decision = { approve: true, decidedBy: 'usr_admin', reason: null };
    const late = { ...decision, endsInMs: 5 * MINUTE };
    assert.equal(await storage.requests.decide(organizationId, exception.id, late), null);
    assert.equal(await storage.requests.decide(organizationId, toolRequest.id, decision), null);
    assert.equal(await storage.requests.cancel(organizationId, exception.id, 'x'), null);
    assert.equal(await storage.requests.cancel(organizationId, toolRequest.id, 'x'), null);
    assert.equal(await storage.requests.hasExpired(), true);
    const closed = (await Promise.all([storage.requests.closeExpired(), storage.requests.closeExpired()]))
      .flat()
      .filter((one) => one.organizationId === organizationId);
    assert.deepEqual(
      closed.map(({ id }) => id).toSorted(),
      [exception.id, toolRequest.id].toSorted(),
      'stored once',
    );
    assert.equal(await storage.requests.hasExpired(), false);
    assert.deepEqual(await states(), ['expired', null, 'cancelled', null]);
  });

  test('of concurrent decisions one wins', async () => {
    const { id } = await ask();
    const decisions = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        storage.requests.decide(testEnv.organizationId, id, {
          approve: i % 2 === 0,
          decidedBy: `usr_${i}`,
          reason: null,
          endsInMs: 5 * MINUTE,
        }),
      ),
    );
    assert.equal(decisions.filter((one) => one !== null).length, 1);
    const stored = await storage.requests.get(testEnv.organizationId, id, 'exception');
    assert.equal(stored?.decidedBy, decisions.find((one) => one !== null)?.decidedBy);
    if (stored?.status === 'approved') await storage.requests.cancel(testEnv.organizationId, id, 'usr_x');
  });

  test('cancels pending and active exceptions only, and never of another organization', async () => {
    const pending = await ask();
    assert.equal(await storage.requests.cancel('org_none', pending.id, 'x'), null);
    assert.equal(await storage.requests.get('org_none', pending.id, 'exception'), null);
    assert.equal(
      (await storage.requests.cancel(testEnv.organizationId, pending.id, 'x'))?.status,
      'cancelled',
    );
    assert.equal(await storage.requests.cancel(testEnv.organizationId, pending.id, 'x'), null);
    assert.equal(await approve(pending.id), null, 'a cancelled one is never approved');
    const active = await ask();
    await approve(active.id);
    assert.deepEqual(await counting(), [active.id]);
    assert.equal(
      (await storage.requests.cancel(testEnv.organizationId, active.id, 'x'))?.status,
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
      (await storage.requests.list(testEnv.organizationId, { kind: 'exception', deviceId: 'dev_a' })).map(
        ({ id }) => id,
      ),
      [own.id],
    );
    for (const { id } of [own, project, everywhere])
      await storage.requests.cancel(testEnv.organizationId, id, 'x');
  });

  test('pages continue after the previous one, also within one millisecond', async () => {
    const fresh = await createTestEnv(storage);
    const input = { ...(await ask()), subject: 'chatgpt.com', status: 'pending' as const };
    for (let i = 0; i < 7; i++) await storage.requests.insert(fresh.organizationId, 'exception', input);
    const seen: string[] = [];
    let before: { createdAtMs: number; id: string } | undefined;
    for (;;) {
      const page = await storage.requests.list(fresh.organizationId, {
        kind: 'exception',
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
    assert.deepEqual(await storage.requests.changedSince([testEnv.organizationId], sinceMs), []);
    const { id } = await ask();
    const request = await storage.requests.insert(testEnv.organizationId, 'tool_request', {
      projectId: null,
      deviceId: null,
      requestedBy: 'key_a',
      requesterUserId: null,
      requestedHost: 'grok.com',
      requestedName: null,
      justification: null,
    });
    const changed = async (organizations: string[]) => [
      ...(await storage.requests.changedSince(organizations, sinceMs)).map((one) => one.id),
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
      storage.requests.insert(testEnv.organizationId, 'tool_request', {
        projectId: testEnv.projectId,
        deviceId,
        requestedBy: deviceId ?? testEnv.keyId,
        requesterUserId: null,
        requestedHost: 'grok.com',
        requestedName: 'Grok',
        justification: null,
      });
    const decide = (id: string, isApproved: boolean) =>
      storage.requests.decide(testEnv.organizationId, id, {
        approve: isApproved,
        decidedBy: 'usr_admin',
        reason: null,
      });
    const approved = async (deviceId: string | null) =>
      (
        await storage.requests.listApproved(testEnv.organizationId, 'tool_request', {
          projectId: testEnv.projectId,
          deviceId,
        })
      ).map(({ id }) => id);
    const mine = await insert('dev_a');
    assert.match(mine.id, /^treq_[0-9A-Za-z]{16}$/);
    assert.equal(
      await storage.requests.countPending(testEnv.organizationId, 'tool_request', { deviceId: 'dev_a' }),
      1,
    );
    assert.equal((await decide(mine.id, true))?.status, 'approved');
    assert.equal(await decide(mine.id, false), null);
    assert.deepEqual(await approved('dev_a'), [mine.id]);
    assert.deepEqual(await approved('dev_b'), []);
    assert.equal((await storage.requests.cancel(testEnv.organizationId, mine.id, 'x'))?.status, 'cancelled');
    assert.equal(await storage.requests.cancel(testEnv.organizationId, mine.id, 'x'), null);
    const denied = await insert(null);
    assert.equal((await decide(denied.id, false))?.status, 'denied');
    assert.equal(await storage.requests.cancel(testEnv.organizationId, denied.id, 'x'), null);
    assert.equal(await storage.requests.get('org_none', denied.id, 'tool_request'), null);
    const listed = await storage.requests.list(testEnv.organizationId, {
      kind: 'tool_request',
      status: 'denied',
    });
    assert.deepEqual(
      listed.map(({ id }) => id),
      [denied.id],
    );
  });

  test('every kind is stored with its details, listed together, and counted by kind while it waits', async () => {
    const { organizationId, keyId } = await createTestEnv(storage);
    const by = { projectId: null, deviceId: null, requestedBy: keyId, requesterUserId: null };
    const host = { policyId: null, threat: null, reasonCategory: null, requestedMinutes: 5 };
    const insert = {
      exception: { ...by, ...host, destinationHost: 'a.example' },
      tool_request: { ...by, requestedHost: 'a.example', requestedName: null },
      tool_review: { ...by, agentId: 'a', sessionId: null, toolName: 't', reason: 'r', arguments: { n: 1 } },
    };
    const made = [
      await storage.requests.insert(organizationId, 'exception', insert.exception),
      await storage.requests.insert(organizationId, 'tool_request', insert.tool_request),
      await storage.requests.insert(organizationId, 'tool_review', insert.tool_review),
      await storage.requests.report(organizationId, {
        ...{ ...by, allowText: true, eventId: 'evt_reported', event: makeEvent(organizationId) },
      }),
    ] as const;
    for (const one of made) assert.deepEqual(await storage.requests.get(organizationId, one.id), one);
    assert.partialDeepStrictEqual(made, [
      insert.exception,
      insert.tool_request,
      insert.tool_review,
      { allowText: true },
    ]);
    const ids = async (filter: object) =>
      (await storage.requests.list(organizationId, filter)).map(({ id }) => id).toSorted();
    assert.deepEqual(await ids({}), made.map(({ id }) => id).toSorted());
    assert.deepEqual(await ids({ status: 'pending' }), made.map(({ id }) => id).toSorted());
    assert.deepEqual(await ids({ kind: 'tool_review' }), [made[2].id]);
    assert.equal(await storage.requests.get(organizationId, made[0].id, 'tool_review'), null);
    await storage.requests.decide(organizationId, made[1].id, {
      ...{ approve: false, decidedBy: 'usr_admin', reason: null },
    });
    assert.deepEqual(await storage.requests.countPendingByKind(organizationId), {
      ...{ exception: 1, tool_request: 0, tool_review: 1, false_positive: 1 },
    });
    assert.deepEqual(await ids({ status: 'denied' }), [made[1].id]);
    assert.deepEqual(await ids({ without: 'pending' }), [made[1].id]);
    for (const status of ['cancelled', 'expired', 'used', 'recorded'])
      assert.deepEqual(await ids({ status }), [], status);
    const none = await storage.requests.countPendingByKind('org_none');
    assert.deepEqual(new Set(Object.values(none)), new Set([0]));
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
    const { requests, fleetSettings } = storage;
    const decision = { approve: true, decidedBy: 'usr_none', reason: null };
    await assertEmpty({
      exception: requests.get('org_none', 'exc_none', 'exception'),
      exceptions: requests.list('org_none', { kind: 'exception' }),
      decided: requests.decide('org_none', 'exc_none', { ...decision, endsInMs: 5 * MINUTE }),
      cancelled: requests.cancel('org_none', 'exc_none', 'usr_none'),
      devices: requests.listDevicesApproved('org_none'),
      request: requests.get('org_none', 'req_none', 'tool_request'),
      requests: requests.list('org_none', { kind: 'tool_request' }),
      'request decided': requests.decide('org_none', 'req_none', decision),
      'request cancelled': requests.cancel('org_none', 'req_none', 'usr_none'),
      'requests changed in none': requests.changedSince([], 0),
      'revoked in none': fleetSettings.revokedSince([], 0),
    });
  });
});
