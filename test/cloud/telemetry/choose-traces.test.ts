import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import {
  chooseTraces,
  createAllowance,
  TRACES_PER_SECOND,
} from '../../../apps/cloud/src/telemetry/choose-traces.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const under = (traceFlags: TraceFlags) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: TRACE_ID,
    spanId: 'b7ad6b7169203331',
    traceFlags,
    isRemote: true,
  });

function isChosen(choice: ReturnType<typeof chooseTraces>, context = ROOT_CONTEXT): boolean {
  return choice.take(context, TRACE_ID, SpanKind.SERVER);
}

test('an allowance is a fixed number in each second, not more after a quiet one', () => {
  let nowMs = 5_000;
  const take = createAllowance(2, () => nowMs);
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  nowMs = 5_999;
  assert.equal(take(), false);
  nowMs = 9_000;
  assert.deepEqual([take(), take(), take()], [true, true, false]);
});

test('without a sampler: a limited number a second, parents decide for theirs, notable ones are extra', () => {
  let nowMs = 1_000;
  const choice = chooseTraces(undefined, 1, () => nowMs);
  const chosen = Array.from({ length: 3 * TRACES_PER_SECOND }, () => isChosen(choice));
  assert.equal(chosen.filter(Boolean).length, TRACES_PER_SECOND);
  assert.ok(isChosen(choice, under(TraceFlags.SAMPLED)));
  assert.ok(choice.takeNotable?.(), 'a block is traced although the allowance is used up');
  nowMs = 2_000;
  assert.ok(!isChosen(choice, under(TraceFlags.NONE)));
  assert.ok(isChosen(choice));
});

test('a configured sampler decides alone', () => {
  const now = () => 0;
  assert.ok(isChosen(chooseTraces('always_on', 1, now), under(TraceFlags.NONE)));
  assert.ok(!isChosen(chooseTraces('always_off', 1, now), under(TraceFlags.SAMPLED)));
  assert.ok(!isChosen(chooseTraces('parentbased_always_on', 1, now), under(TraceFlags.NONE)));
  assert.ok(isChosen(chooseTraces('parentbased_always_off', 1, now), under(TraceFlags.SAMPLED)));
  assert.ok(isChosen(chooseTraces('traceidratio', 1, now)));
  assert.ok(!isChosen(chooseTraces('traceidratio', 0, now)));
  assert.ok(!isChosen(chooseTraces('parentbased_traceidratio', 0, now)));
  assert.equal(chooseTraces('always_on', 1, now).takeNotable, null);
});
