import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceEvent } from '@csg/shared/contract';
import { createDecisionLog } from '../../../../apps/desktop/src/agent/service/decision-log.ts';
import { makeDecisionEvent } from '../../../support/desktop/make-decision-event.ts';

const EVENT = makeDecisionEvent();

test('recent decisions are stored in memory, those that the service does not know in the journal', () => {
  const kept: DeviceEvent[] = [];
  const log = createDecisionLog({ add: (event) => void kept.push(event) });
  for (let i = 0; i < 150; i++) {
    log.record({ ...EVENT, eventId: `evt_${i}`, decidedBy: i % 2 === 0 ? 'cloud' : 'device' });
  }
  assert.equal(log.recent().length, 100);
  assert.equal(log.recent()[0]?.event_id, 'evt_149');
  assert.match(log.recent()[0]?.why ?? '', /password, key or other secret/);
  assert.equal(kept.length, 75);
  assert.equal(log.problem(), null);
});

test('a full disk is reported until there is space again', () => {
  let isFull = true;
  const log = createDecisionLog({
    add() {
      if (isFull) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    },
  });
  assert.equal(log.record(EVENT).event_id, 'evt_1');
  assert.match(log.problem() ?? '', /cannot be stored .*SQLITE_FULL.*Free space/);
  isFull = false;
  log.record(EVENT);
  assert.equal(log.problem(), null);
});
