import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditReport, SecurityEvent, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { connect } from './storage-audit-tables.ts';
import { makeRecord, NOON, onEveryEngine } from './storage-engines.ts';

const FINDING = {
  rule: 'pii.ssn',
  type: 'pii_leak',
  path: '/content',
  role: 'user',
  start: 3,
  end: 14,
  confidence: 0.123_456_789,
} as const;

/** Every column has a value that a database might return in another spelling. */
const FULL: Partial<SecurityEvent> = {
  projectId: 'proj_a',
  keyId: 'key_a',
  deviceId: 'dev_a',
  model: 'modèle \u{1f600} \ud800 \0',
  decision: 'block',
  threatType: 'pii_leak',
  confidence: 1 / 3,
  findings: [FINDING],
  unscanned: [{ at: '/messages/0', reason: 'encrypted' }],
  failed: { reason: 'Error', failMode: 'closed' },
  latencyUs: 1234.5,
  evaluatedBy: 'device',
  decidedBy: { kind: 'policy', id: 'pol_a' },
};

/** Changes that an attacker with access to the database may make to an event. */
const CHANGES = [
  "decision = 'allow'",
  'threat_type = NULL',
  'confidence = confidence + 0.000001',
  'findings = NULL',
  "findings = replace(findings, 'pii.ssn', 'pii.email')",
  'unscanned = NULL',
  'failed = NULL',
  'judged_by = NULL',
  'decided_by = NULL',
  "decided_by = 'policy:pol_b'",
  'at_ms = at_ms + 1',
  'latency_us = latency_us - 1',
  "key_id = 'key_b'",
  'project_id = NULL',
  "device_id = ''",
  "model = 'other'",
  "request_id = 'req_2'",
  "route = 'scan'",
  "direction = 'output'",
];

onEveryEngine('Events of the audit chain', (engine) => {
  let organizations = 0;

  /** Three events in an organization of their own, the second with a value in every column. */
  async function record(storage: Storage): Promise<{ readonly id: string; readonly events: string[] }> {
    const id = `org_events_${organizations++}`;
    const records = [makeRecord(id), makeRecord(id, FULL), makeRecord(id, { atMs: NOON + 5 })];
    for (const one of records) await storage.decisions.record(one);
    return { id, events: records.map(({ event }) => event.id) };
  }

  async function tamper(sql: string): Promise<void> {
    const { run, close } = await connect(engine.options());
    await run(sql);
    await close();
  }

  const reasons = (report: AuditReport): unknown[] => report.faults.map(({ seq, reason }) => [seq, reason]);

  test('verifies all untouched events', async () => {
    const storage = await engine.open();
    const { id } = await record(storage);
    const report = await storage.audit.verify(id);
    assert.deepEqual(
      [report.valid, report.events_checked, report.events_changed, report.events_missing],
      [true, 3, [], []],
      JSON.stringify(report.faults),
    );
    assert.deepEqual([report.events_unrecorded, report.events_covered_from], [[], 1]);
  });

  for (const change of CHANGES) {
    test(`detects "${change}"`, async () => {
      const storage = await engine.open();
      const { id, events } = await record(storage);
      await tamper(`UPDATE security_events SET ${change} WHERE id = '${events[1]}'`);
      const report = await storage.audit.verify(id);
      assert.deepEqual([report.valid, report.events_changed], [false, [events[1]]]);
      assert.deepEqual(reasons(report), [[2, 'event_changed']]);
      assert.equal(report.first_invalid?.seq, 2);
    });
  }

  test('reports a deleted event, and one moved to another organization as missing here and extra there', async () => {
    const storage = await engine.open();
    const { id, events } = await record(storage);
    const other = await record(storage);
    await tamper(`DELETE FROM security_events WHERE id = '${events[0]}'`);
    await tamper(`UPDATE security_events SET organization_id = '${other.id}' WHERE id = '${events[2]}'`);
    const report = await storage.audit.verify(id);
    assert.deepEqual([report.valid, report.events_missing], [false, [events[0], events[2]]]);
    assert.deepEqual(reasons(report), [
      [1, 'event_missing'],
      [3, 'event_missing'],
    ]);
    const there = await storage.audit.verify(other.id);
    assert.deepEqual([there.valid, there.events_unrecorded], [false, [events[2]]]);
  });

  test('reports an event under another id as missing and the new id as unrecorded', async () => {
    const storage = await engine.open();
    const { id, events } = await record(storage);
    await tamper(`UPDATE security_events SET id = 'evt_forged_${id}' WHERE id = '${events[1]}'`);
    const report = await storage.audit.verify(id);
    assert.deepEqual([report.valid, report.events_missing], [false, [events[1]]]);
    assert.deepEqual(report.events_unrecorded, [`evt_forged_${id}`]);
  });

  test('detects an event that the service did not write', async () => {
    const storage = await engine.open();
    const { id, events } = await record(storage);
    const columns = `organization_id, project_id, key_id, device_id, request_id, direction, route, model, decision,
      threat_type, confidence, findings, unscanned, failed, latency_us, at_ms`;
    await tamper(`INSERT INTO security_events (id, ${columns})
      SELECT 'evt_made_up_${id}', ${columns} FROM security_events WHERE id = '${events[0]}'`);
    const report = await storage.audit.verify(id);
    assert.deepEqual([report.valid, report.events_unrecorded], [false, [`evt_made_up_${id}`]]);
  });

  test('accepts deletions that retention recorded', async () => {
    const storage = await engine.open();
    const id = 'org_events_retention';
    const dayMs = 86_400_000;
    for (const [projectId, atMs] of [
      ['proj_even', NOON - 2 * dayMs],
      ['proj_even', NOON],
      [null, NOON - 2 * dayMs],
    ] as const)
      await storage.decisions.record(makeRecord(id, { projectId, atMs }));
    assert.equal(await storage.events.prune(id, 'proj_even', NOON - dayMs), 1);
    const [row] = (await storage.audit.page(id)).rows;
    assert.deepEqual(
      [row?.kind, row?.actor, row?.data],
      ['events_deleted', 'system', { before_ms: NOON - dayMs, events: 1, project_ids: ['proj_even'] }],
    );
    assert.equal(await storage.events.prune(id, 'proj_even', NOON - dayMs), 0);
    const report = await storage.audit.verify(id);
    assert.deepEqual([report.valid, report.checked, report.events_checked], [true, 4, 2]);

    // The record excuses only older events of its project: nothing else.
    await storage.decisions.record(makeRecord(id, { projectId: 'proj_even', atMs: NOON - 3 * dayMs }));
    await tamper(`DELETE FROM security_events WHERE organization_id = '${id}'`);
    assert.deepEqual(reasons(await storage.audit.verify(id)), [
      [2, 'event_missing'],
      [3, 'event_missing'],
      [5, 'event_missing'],
    ]);
  });

  test('accepts the deletion of events that were recorded long after they were made', async () => {
    const storage = await engine.open();
    const id = 'org_events_late';
    const dayMs = 86_400_000;
    for (const madeMs of [NOON - 2 * dayMs, NOON]) {
      const { event, audit } = makeRecord(id, { projectId: 'proj_a', atMs: madeMs });
      const data = { ...audit.data, project_id: 'proj_a', decided_at_ms: madeMs };
      await storage.decisions.record({ event, audit: { ...audit, atMs: NOON, data } });
    }
    assert.equal(await storage.events.prune(id, 'proj_a', NOON - dayMs), 1);
    assert.deepEqual(reasons(await storage.audit.verify(id)), []);
    await tamper(`DELETE FROM security_events WHERE organization_id = '${id}'`);
    assert.deepEqual(reasons(await storage.audit.verify(id)), [[2, 'event_missing']]);
  });

  test('verification during retention and new decisions reports nothing', async () => {
    const storage = await engine.open();
    const id = 'org_events_busy';
    for (let n = 0; n < 1_200; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_one, i) =>
          storage.decisions.record(makeRecord(id, { atMs: NOON + n + i })),
        ),
      );
    const reports = [];
    for (let n = 0; n < 1_200; n += 300) {
      const [report] = await Promise.all([
        storage.audit.verify(id),
        storage.events.prune(id, null, NOON + n + 300),
        storage.decisions.record(makeRecord(id, { atMs: NOON + 5_000 })),
      ]);
      reports.push(report);
    }
    for (const report of reports) assert.deepEqual([report.valid, report.faults], [true, []]);
    const last = await storage.audit.verify(id);
    assert.deepEqual([last.valid, last.events_checked], [true, 4]);
  });

  test('reports rows from before digests were stored, without failing', async () => {
    const storage = await engine.open();
    const { id } = await record(storage);
    await storage.audit.append({
      organizationId: id,
      kind: 'policy_allow',
      actor: 'key_a',
      subject: 'evt_of_an_older_version',
      data: { decision: 'allow' },
    });
    await storage.decisions.record(makeRecord(id));
    const report = await storage.audit.verify(id);
    assert.deepEqual([report.valid, report.events_checked, report.events_covered_from], [true, 4, 5]);
  });
});
