import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelLimit } from '../../../../apps/cloud/src/storage/batch/label-limit.ts';
import { createModelNames } from '../../../../apps/cloud/src/storage/batch/model-names.ts';
import { prepareDecision, rowToEvent } from '../../../../apps/cloud/src/storage/batch/prepare-decision.ts';
import type { DecisionRecord, EventFinding } from '../../../../apps/cloud/src/storage/model/events.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';
import { makeRecord, NOON } from '../../../conformance/storage-engines.ts';

const ORG = 'org_a';
const FINDING: EventFinding = {
  ...{ rule: 'pii.email', type: 'pii_leak', path: '/messages/0', role: 'user' },
  ...{ start: 3, end: 9, confidence: 0.5 },
};

const prepare = (record: DecisionRecord) =>
  prepareDecision(record, NOON + 5, createModelNames(), createLabelLimit());
const prepareEvent = (change: Parameters<typeof makeRecord>[1]) => prepare(makeRecord(ORG, change));
const findingsOf = (...findings: readonly EventFinding[]) => prepareEvent({ findings }).event.findings;

test('an event with a number that is none is rejected and named', () => {
  for (const name of ['confidence', 'atMs', 'latencyUs']) {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const record = makeRecord(ORG, { id: 'evt_1' });
      const event = { ...record.event, [name]: value };
      assert.throws(
        () => prepare({ ...record, event }),
        (error) => error instanceof StorageError && error.code === 'rejected' && /evt_1/.test(error.message),
        `${name} ${value}`,
      );
    }
  }
});

test('times are stored as whole milliseconds and microseconds', () => {
  const { event } = prepareEvent({ atMs: NOON + 0.9, latencyUs: 12.5 });
  assert.deepEqual([event.at_ms, event.latency_us], [NOON, 13]);
});

test('texts of clients are cut at 256 characters, null stays null', () => {
  const long = 'm'.repeat(300);
  const { event } = prepareEvent({ requestId: long, model: long });
  assert.deepEqual([event.request_id, event.model], ['m'.repeat(256), 'm'.repeat(256)]);
  const none = prepareEvent({ requestId: null, model: null }).event;
  assert.deepEqual([none.request_id, none.model], [null, null]);
  const [tuple] = JSON.parse(findingsOf({ ...FINDING, path: `/${long}` })!);
  assert.equal(tuple[2], `/${'m'.repeat(255)}`);
});

test('a finding is stored without names and without empty values at its end', () => {
  const start = '["pii.email","pii_leak","/messages/0","user",3,9,0.5';
  const cases: readonly (readonly [Partial<EventFinding>, string])[] = [
    [{}, ''],
    [{ reportOnly: false, isWithheld: false }, ''],
    [{ reportOnly: true }, ',1'],
    [{ isWithheld: true }, ',2'],
    [{ reportOnly: true, isWithheld: true }, ',1'],
    [{ textKey: 'user:k' }, ',0,"user:k"'],
    [{ isWithheld: true, textKey: 'user:k' }, ',2,"user:k"'],
    [{ tool: 'send' }, ',0,"","send"'],
    [{ reportOnly: true, textKey: 'user:k', tool: 'send' }, ',1,"user:k","send"'],
  ];
  for (const [more, end] of cases) assert.equal(findingsOf({ ...FINDING, ...more }), `[${start}${end}]]`);
  assert.equal(findingsOf({ ...FINDING, confidence: 0.123456 })?.includes('0.1235]'), true);
  assert.equal(findingsOf(), null);
});

test('at most a hundred findings and unread parts are stored, the first ones', () => {
  const many = Array.from({ length: 101 }, (_, start) => ({ ...FINDING, start }));
  const unscanned = many.map(({ start }) => ({ at: start, reason: 'url_only' as const }));
  const event = rowToEvent(prepareEvent({ findings: many, unscanned }).event);
  assert.deepEqual(event.findings, many.slice(0, 100));
  assert.deepEqual(event.unscanned, unscanned.slice(0, 100));
  assert.equal(prepareEvent({}).event.unscanned, null);
});

test('of more findings the first of each rule is stored, wherever it is, in their order', () => {
  const many = Array.from({ length: 300 }, (_, start) => ({ ...FINDING, start }));
  const flow: EventFinding = { ...FINDING, rule: 'flow_control.email', start: 1_000 };
  const rules = JSON.parse(findingsOf(...many.slice(0, 200), flow, { ...flow }, ...many.slice(200))!).map(
    ([rule, , , , start]: readonly unknown[]) => [rule, start],
  );
  assert.equal(rules.length, 100);
  assert.deepEqual(rules.slice(98), [
    ['pii.email', 98],
    ['flow_control.email', 1_000],
  ]);
});

test('what an event says comes back, and what it does not say is absent', () => {
  const plain = makeRecord(ORG).event;
  const full = {
    ...plain,
    ...{ projectId: 'prj_a', keyId: 'key_a', deviceId: 'dev_a', model: 'gpt', decision: 'block' as const },
    ...{ threatType: 'pii_leak' as const, confidence: 0.5, evaluatedBy: 'device' as const },
    findings: [FINDING, { ...FINDING, reportOnly: true }, { ...FINDING, isWithheld: true, tool: 'send' }],
    failed: { reason: 'timeout', failMode: 'closed' as const },
    // The id of a detector has a colon of its own.
    decidedBy: { kind: 'policy' as const, id: 'pol_a:b' },
  };
  for (const event of [plain, full]) {
    assert.deepEqual(rowToEvent(prepare({ ...makeRecord(ORG), event }).event), event);
  }
});

test('the audit entry names the stored event, its digest and its project; usage and calls go along if given', () => {
  const record = makeRecord(ORG, { projectId: 'prj_a', model: 'gpt' });
  const bare = prepare(record);
  assert.deepEqual([bare.usage, bare.call, bare.deliveries, bare.usageModel], [null, null, [], 'gpt']);
  const data = JSON.parse(bare.entry.data);
  assert.deepEqual([bare.entry.organizationId, bare.entry.subject], [ORG, record.event.id]);
  assert.deepEqual([bare.entry.atMs, data.project_id, data.decision], [NOON, 'prj_a', 'allow']);
  assert.match(data.event_sha256, /^[0-9a-f]{64}$/);
  const usage = { accountId: 'usr_a', device: true };
  const call = { isError: false, ms: 3, tokens: { input: 1, output: 2 } };
  const notice = {
    ...{ projectId: 'prj_a', endpointId: 'whk_a', event: 'threat.detected' },
    ...{ eventId: record.event.id, payload: '{}' },
  };
  const full = prepare({ ...record, usage, call, notices: [notice as never] });
  assert.deepEqual([full.usage, full.call], [usage, call]);
  assert.deepEqual(
    full.deliveries.map((row) => [row.organization_id, row.created_at_ms]),
    [[ORG, NOON + 5]],
  );
});
