import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceEventSchema } from '@csg/shared/contract';
import Schema from 'typebox/schema';
import { deviceEventOf } from '../../../../apps/desktop/src/agent/service/decision-log.ts';
import { makeDecisionEvent } from '../../../support/desktop/make-decision-event.ts';

const EVENT = makeDecisionEvent();

test('a decision of the service is not reported to it', () => {
  assert.equal(deviceEventOf({ ...EVENT, decidedBy: 'cloud' }), null);
});

test('"what does not fit a part is judged on the device and its event says so (`judged_by: device`)"', () => {
  const event = deviceEventOf({ ...EVENT, decision: 'allow', done: 'forwarded', reason: 'too_large' });
  assert.deepEqual([event?.judged_by, event?.reason], ['device', 'too_large']);
  assert.equal(deviceEventOf({ ...EVENT, decidedBy: 'policy' })?.judged_by, undefined);
});

test('the service accepts every reason; notes are not sent', () => {
  for (const [reason, decision, failMode] of [
    ['offline', 'block', undefined],
    ['unread', 'allow', 'open'],
    ['unread', 'block', 'closed'],
    ['no_certificate', 'allow', 'open'],
    ['no_certificate', 'block', 'closed'],
    ['ambiguous', 'block', undefined],
    ['blocked_tool', 'block', undefined],
    [null, 'block', undefined],
  ] as const) {
    const event = deviceEventOf({ ...EVENT, reason, decision, note: 'my secret text' });
    assert.equal(event?.reason, reason ?? undefined);
    assert.equal(event?.fail_mode, failMode, String(reason));
    assert.ok(!JSON.stringify(event).includes('secret text'));
    assert.ok(
      Schema.Check(deviceEventSchema, event),
      JSON.stringify(Schema.Errors(deviceEventSchema, event)),
    );
  }
  const excused = deviceEventOf({ ...EVENT, reason: 'exception', exceptionId: 'exc_1' });
  assert.deepEqual([excused?.reason, excused?.exception_id], ['exception', 'exc_1']);
  assert.deepEqual(deviceEventOf(EVENT)?.findings, [
    { rule: 'aws-key', type: 'secret_leak', start: 4, end: 24, confidence: 0.9 },
  ]);
  assert.equal(deviceEventOf({ ...EVENT, host: 'bücher.example' })?.destination_host, undefined);
});
