import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type {
  EventFilter,
  EventFinding,
  SecurityEvent,
  Storage,
} from '../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { makeEvent, makeRecord, NOON, onEveryEngine } from './storage-engines.ts';

const DAY = 86_400_000;

onEveryEngine('The record of decisions', (engine) => {
  let storage: Storage;
  before(async () => {
    storage = await engine.open();
  });

  test('an event is returned as recorded, without fields that were not set', async () => {
    const event: SecurityEvent = makeEvent('org_full', {
      projectId: 'proj_1',
      keyId: 'key_1',
      deviceId: 'dev_1',
      direction: 'output',
      route: 'chat/completions',
      model: 'model-1',
      decision: 'block',
      threatType: 'pii_leak',
      confidence: 0.875,
      findings: [
        {
          rule: 'pii.card',
          type: 'pii_leak',
          path: '/choices/0',
          role: 'assistant',
          start: 3,
          end: 19,
          confidence: 0.9,
        },
        {
          rule: 'pii.email',
          type: 'pii_leak',
          path: '/instructions',
          role: 'system',
          start: 5,
          end: 20,
          confidence: 0.98,
          reportOnly: true,
        },
      ],
      unscanned: [
        { at: 2, reason: 'url_only' },
        { at: '/messages/1', reason: 'encrypted' },
      ],
      failed: { reason: 'timeout', failMode: 'closed' },
      latencyUs: 1234,
      evaluatedBy: 'device',
    });
    const withText = {
      ...event,
      findings: event.findings.map((finding) => ({ ...finding, text: '4111 1111 1111 1111' })),
    };
    await storage.decisions.record({ ...makeRecord('org_full'), event: withText });
    assert.deepEqual(await storage.events.get('org_full', event.id), event);
    assert.equal(await storage.events.get('org_other', event.id), null);
  });

  test('all details of a finding and of an event are returned, up to their limits', async () => {
    const finding: EventFinding = {
      ...{ rule: 'pii.card', type: 'pii_leak' as const, path: '/messages/0', role: 'user' as const },
      ...{ start: 3, end: 19, confidence: 0.5 },
    };
    const roundTrip = async (change: Partial<SecurityEvent>) => {
      const event = makeEvent('org_said', change);
      await storage.decisions.record({ ...makeRecord('org_said'), event });
      return (await storage.events.get('org_said', event.id))!;
    };
    const marks: Partial<EventFinding>[] = [
      ...[{}, { reportOnly: true }, { isWithheld: true }, { textKey: 'k' }, { tool: 't' }],
      ...[
        { isWithheld: true, textKey: 'k' },
        { reportOnly: true, tool: 't' },
        { textKey: 'k', tool: 't' },
      ],
    ];
    const findings = marks.map((mark): EventFinding => ({ ...finding, ...mark }));
    const whole = await roundTrip({ findings, decidedBy: { kind: 'policy', id: 'pol:1' } });
    assert.deepEqual(whole.findings, findings);
    assert.deepEqual(whole.decidedBy, { kind: 'policy', id: 'pol:1' });
    const bare = await roundTrip({});
    assert.deepEqual([bare.findings, bare.unscanned, bare.failed], [[], [], null]);
    assert.deepEqual(['decidedBy' in bare, 'evaluatedBy' in bare], [false, false]);
    const large = await roundTrip({
      findings: Array.from({ length: 101 }, () => ({
        ...{ ...finding, path: 'p'.repeat(300), confidence: 0.123456 },
      })),
      unscanned: Array.from({ length: 101 }, (_, at) => ({ at, reason: 'url_only' as const })),
      latencyUs: 1.6,
      atMs: NOON + 0.9,
    });
    assert.deepEqual([large.findings.length, large.unscanned.length], [100, 100]);
    assert.deepEqual([large.findings[0]?.path.length, large.findings[0]?.confidence], [256, 0.1235]);
    assert.deepEqual([large.latencyUs, large.atMs], [2, NOON]);
    for (const change of [{ confidence: Number.NaN }, { atMs: Number.NaN }, { latencyUs: Infinity }]) {
      const event = { ...makeEvent('org_said'), ...change };
      await assert.rejects(storage.decisions.record({ ...makeRecord('org_said'), event }), StorageError);
    }
  });

  test('a decision writes an event, an audit row and a count, once for each event id', async () => {
    const usage = { accountId: 'usr_once', device: false };
    const record = makeRecord('org_once', {}, usage);
    await Promise.all([storage.decisions.record(record), storage.decisions.record(record)]);
    await storage.decisions.record(record);
    await storage.decisions.record(
      makeRecord('org_once', { decision: 'block', threatType: 'jailbreak' }, usage),
    );
    const { rows } = await storage.audit.page('org_once');
    assert.deepEqual(
      rows.map(({ seq, kind }) => [seq, kind]),
      [
        [2, 'policy_block'],
        [1, 'policy_allow'],
      ],
    );
    assert.equal(rows[1]?.subject, record.event.id);
    assert.equal(await storage.usage.monthTotal('usr_once', '2026-11'), 2);
    assert.equal((await storage.events.page('org_once')).events.length, 2);
  });

  test('a duplicate does not fail its batch, and is not counted twice', async () => {
    const usage = { accountId: 'usr_again', device: false };
    const known = makeRecord('org_again', {}, usage);
    await storage.decisions.record(known);
    const [, , , admission] = await Promise.all([
      storage.decisions.record(makeRecord('org_again', {}, usage)),
      storage.decisions.record(known),
      storage.decisions.record(makeRecord('org_first_seen', {}, usage)),
      storage.usage.admit({ accountId: 'usr_again', limit: 9, device: false, nowMs: NOON }),
    ]);
    assert.equal(admission.admitted, true);
    assert.equal(await storage.usage.monthTotal('usr_again', '2026-11'), 3 + 1);
    for (const [organizationId, rows] of [
      ['org_again', 2],
      ['org_first_seen', 1],
    ] as const) {
      const report = await storage.audit.verify(organizationId);
      assert.deepEqual([report.valid, report.checked], [true, rows], JSON.stringify(report.faults));
    }
  });

  test('concurrent callers write one chain without gaps', async () => {
    const wanted = Array.from({ length: 600 }, (_, index) => makeRecord(`org_many${index % 3}`));
    await Promise.all(wanted.map((record) => storage.decisions.record(record)));
    for (const organizationId of ['org_many0', 'org_many1', 'org_many2']) {
      const report = await storage.audit.verify(organizationId);
      assert.deepEqual([report.valid, report.checked], [true, 200], JSON.stringify(report.faults));
    }
  });

  test('one record that cannot be stored is rejected alone', async () => {
    const good = [makeRecord('org_poison'), makeRecord('org_poison')];
    const bad = makeRecord('org_poison', { route: null as unknown as string });
    const worse = makeRecord('org_poison', { latencyUs: Number.NaN });
    const results = await Promise.allSettled(
      [good[0]!, bad, worse, good[1]!].map((r) => storage.decisions.record(r)),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.equal((await storage.audit.verify('org_poison')).checked, 2);
  });

  test('one record that only the database rejects is rejected alone', async () => {
    const bad = makeRecord('org_null', { direction: null as never });
    const results = await Promise.allSettled(
      [makeRecord('org_null'), bad, makeRecord('org_null')].map((r) => storage.decisions.record(r)),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    const [, refused] = results;
    assert.ok(refused?.status === 'rejected' && refused.reason instanceof StorageError);
    assert.equal(refused.reason.code, 'rejected');
    assert.equal((await storage.audit.verify('org_null')).checked, 2);
  });

  test('unusual text of clients is stored, truncated and valid', async () => {
    const event = makeEvent('org_odd', { model: `nul\0 \ud800 ${'m'.repeat(5000)}`, requestId: '\u0000' });
    await storage.decisions.record({ ...makeRecord('org_odd'), event });
    const stored = await storage.events.get('org_odd', event.id);
    assert.equal(stored?.model?.length, 256);
    assert.ok(stored?.model?.startsWith('nul\ufffd \ufffd mmm'));
    assert.equal(stored?.requestId, '\ufffd');
  });

  test('pages of events contain each once in any order, also with equal values and times', async () => {
    const records = Array.from({ length: 40 }, (_, index) =>
      makeRecord('org_sorted', {
        atMs: NOON + Math.floor(index / 4),
        decision: 'block',
        threatType: index % 8 === 7 ? null : 'jailbreak',
        // A third has no exact binary form, so the database has to return exactly what was stored.
        confidence: [1 / 3, 0.9, 0.1 + 0.2, 0, 1, 1e-7][index % 6]!,
      }),
    );
    await Promise.all(records.map((record) => storage.decisions.record(record)));
    const byId = (a: SecurityEvent, b: SecurityEvent) => (a.id < b.id ? -1 : 1);
    const byTime = (a: SecurityEvent, b: SecurityEvent) => a.atMs - b.atMs || byId(a, b);
    const byConfidence = (a: SecurityEvent, b: SecurityEvent) => a.confidence - b.confidence || byTime(a, b);
    for (const by of ['time', 'confidence'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        let next: string | null | undefined;
        do {
          const page = await storage.events.page('org_sorted', {
            ...{ limit: 3, sort: { by, order } },
            ...(next == null ? {} : { after: next }),
          });
          seen.push(...page.events.map(({ id }) => id));
          next = page.next;
        } while (next !== null && seen.length < 100);
        const expected = records
          .map(({ event }) => event)
          .filter(({ threatType }) => by === 'time' || threatType !== null)
          .sort(by === 'time' ? byTime : byConfidence);
        if (order === 'desc') expected.reverse();
        assert.deepEqual(
          seen,
          expected.map(({ id }) => id),
          `${by} ${order}`,
        );
      }
    const sort = { by: 'confidence', order: 'desc' } as const;
    const { next } = await storage.events.page('org_sorted', { limit: 1 });
    await assert.rejects(storage.events.page('org_sorted', { sort, after: next! }), StorageError);
    for (const after of ['~1.a', 'NaN~1.a', '0.5~1', '--~1.a', "0.5~1.' or 1=1"]) {
      const page = storage.events.page('org_sorted', { sort, after });
      // The last one is an id like any other.
      if (after.startsWith('0.5~1.')) await page;
      else await assert.rejects(page, StorageError, after);
    }
  });

  test('pages are newest first, complete and without repetition, also with equal times', async () => {
    const records = Array.from({ length: 25 }, (_, index) =>
      makeRecord('org_pages', {
        atMs: NOON + Math.floor(index / 5),
        decision: index % 5 === 0 ? 'block' : 'allow',
        threatType: index % 5 === 0 ? 'jailbreak' : null,
        projectId: index % 2 === 0 ? 'proj_even' : null,
        deviceId: index === 3 ? 'dev_3' : null,
        keyId: index === 4 ? 'key_4' : null,
        direction: index < 10 ? 'input' : 'output',
      }),
    );
    await Promise.all(records.map((record) => storage.decisions.record(record)));
    const seen: SecurityEvent[] = [];
    for (let after: string | undefined, pages = 0; pages < 10; pages++) {
      const page = await storage.events.page('org_pages', {
        limit: 7,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...page.events);
      if (page.next === null) break;
      after = page.next;
    }
    const expected = records
      .map(({ event }) => event)
      .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
    assert.deepEqual(
      seen.map(({ id }) => id),
      expected.map(({ id }) => id),
    );

    const count = async (filter: object) =>
      (await storage.events.page('org_pages', { filter, limit: 100 })).events.length;
    assert.equal(await count({ decision: 'block' }), 5);
    assert.equal(await count({ decision: 'allow' }), 20);
    assert.equal(await count({ threatType: 'jailbreak', fromMs: NOON + 2 }), 3);
    assert.equal(await count({ projectId: 'proj_even' }), 13);
    assert.equal(await count({ deviceId: 'dev_3' }), 1);
    assert.equal(await count({ keyId: 'key_4' }), 1);
    assert.equal(await count({ direction: 'input' }), 10);
    assert.equal(await count({ fromMs: NOON + 1, toMs: NOON + 3 }), 10);
    await assert.rejects(storage.events.page('org_pages', { after: 'nonsense' }), StorageError);
    assert.deepEqual(await storage.events.page('org_none'), { events: [], next: null });

    assert.equal(await storage.events.prune('org_pages', 'proj_even', NOON + 1), 3);
    assert.equal(await storage.events.prune('org_pages', null, NOON + 2), 7);
    assert.equal(await count({}), 15);
    assert.equal((await storage.audit.verify('org_pages')).valid, true);
  });

  test('each filter and each search finds its own events, alone and combined', async () => {
    const finding = (rule: string): EventFinding => ({
      ...{ rule, type: 'pii_leak', path: '/', role: 'user', start: 0, end: 1, confidence: 1 },
    });
    const events = {
      key: { keyId: 'key_1', model: 'm1', requestId: 'req_key' },
      device: { deviceId: 'dev_1', direction: 'output', requestId: 'req_device' },
      project: { projectId: 'proj_1', requestId: 'req_project' },
      rule: { findings: [finding('pii.a_b')], requestId: 'req_rule' },
      other: { findings: [finding('pii.axb')], requestId: 'req_other' },
      policy: {
        decidedBy: { kind: 'policy', id: 'pol_1' },
        requestId: 'req_policy',
        threatType: 'jailbreak',
      },
    } satisfies Record<string, Partial<SecurityEvent>>;
    const ids = new Map<string, string>();
    for (const [name, change] of Object.entries(events)) {
      const record = makeRecord('org_found', change);
      ids.set(record.event.id, name);
      await storage.decisions.record(record);
    }
    const find = async (filter: EventFilter) =>
      (await storage.events.page('org_found', { filter, limit: 100 })).events
        .map(({ id }) => ids.get(id))
        .sort();
    const nowhere = { text: 'nothing', projectIds: [], keyIds: [], deviceIds: [] };
    const all = Object.keys(events).sort();
    for (const [filter, found] of [
      [{}, all],
      [{ keyId: 'key_1' }, ['key']],
      [{ deviceId: 'dev_1' }, ['device']],
      [{ projectId: 'proj_1' }, ['project']],
      [{ model: 'm1' }, ['key']],
      [{ direction: 'output' }, ['device']],
      [{ policyId: 'pol_1' }, ['policy']],
      [{ rule: 'pii.a_b' }, ['rule']],
      [{ hasFindings: true }, ['other', 'rule']],
      [{ sentBy: { keyIds: ['key_1'], deviceIds: [] } }, ['key']],
      [{ sentBy: { keyIds: [], deviceIds: ['dev_1'] } }, ['device']],
      [{ sentBy: { keyIds: ['key_1'], deviceIds: ['dev_1'] } }, ['device', 'key']],
      [{ search: nowhere }, []],
      [{ search: { ...nowhere, text: 'req_rule' } }, ['rule']],
      [{ search: { ...nowhere, text: 'PII.A_' } }, ['rule']],
      [{ search: { ...nowhere, projectIds: ['proj_1'] } }, ['project']],
      [{ search: { ...nowhere, keyIds: ['key_1'] } }, ['key']],
      [{ search: { ...nowhere, deviceIds: ['dev_1'] } }, ['device']],
      [{ search: { ...nowhere, keyIds: ['key_1'], deviceIds: ['dev_1'] }, direction: 'input' }, ['key']],
    ] satisfies [EventFilter, string[]][])
      assert.deepEqual(await find(filter), found, JSON.stringify(filter));
  });

  test('requests are admitted exactly up to the limit; devices count and are never rejected', async () => {
    const admit = (device = false, limit: number | null = 50, nowMs = NOON) =>
      storage.usage.admit({ accountId: 'usr_limit', limit, device, nowMs });
    const results = await Promise.all(Array.from({ length: 80 }, () => admit()));
    assert.equal(results.filter(({ admitted }) => admitted).length, 50);
    assert.equal(results.at(-1)?.used, 50);
    assert.deepEqual(await admit(true), { admitted: true, used: null });
    assert.deepEqual(await admit(false, null), { admitted: true, used: null });
    assert.deepEqual(await admit(), { admitted: false, used: 52 });
    assert.deepEqual(await admit(false, 53), { admitted: true, used: 53 });
    const nextMonth = Date.UTC(2026, 11, 1);
    assert.deepEqual(await admit(false, 50, nextMonth - 1), { admitted: false, used: 53 });
    assert.deepEqual(await admit(false, 50, nextMonth), { admitted: true, used: 1 });
    assert.deepEqual(
      await storage.usage.stats('usr_limit', {
        fromDay: '2026-11-01',
        toDay: '2026-12-31',
        month: '2026-11',
      }),
      {
        month: 53,
        monthDevice: 1,
        days: [
          { date: '2026-11-20', requests: 53, deviceRequests: 1 },
          { date: '2026-12-01', requests: 1, deviceRequests: 0 },
        ],
      },
    );
  });

  test('pending counts are committed with the next decision, and by a flush', async () => {
    const reader = await engine.open();
    await storage.usage.admit({ accountId: 'usr_ride', limit: null, device: false, nowMs: NOON });
    await storage.decisions.record(makeRecord('org_ride'));
    assert.equal(await reader.usage.monthTotal('usr_ride', '2026-11'), 1);
    await storage.usage.admit({ accountId: 'usr_ride', limit: 1, device: true, nowMs: NOON - DAY });
    await storage.flush();
    assert.equal(await reader.usage.monthTotal('usr_ride', '2026-11'), 2);
    assert.equal(await reader.usage.monthTotal('usr_none', '2026-11'), 0);
  });
});
