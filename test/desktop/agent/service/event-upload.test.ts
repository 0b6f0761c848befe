import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceEvent, DeviceEventsReply } from '@csg/shared/contract';
import { createEventUpload } from '../../../../apps/desktop/src/agent/service/event-upload.ts';
import type { ServiceOutcome } from '../../../../apps/desktop/src/cloud-client/service-client.ts';

type Answer = (events: readonly DeviceEvent[]) => ServiceOutcome<DeviceEventsReply>;
const takeAll: Answer = (events) => ({
  kind: 'ok',
  value: { accepted: events.map(({ event_id }) => event_id), rejected: [] },
});

/** Sends `count` events; the responses come in this order, the last one repeats. Resolves when no event is pending. */
async function upload(count: number, ...answers: Answer[]) {
  let waiting: DeviceEvent[] = Array.from({ length: count }, (_, i) => ({
    event_id: `e${i}`,
    decision: 'block',
  }));
  const sent: number[] = [];
  const empty = Promise.withResolvers<void>();
  const own = createEventUpload({
    journal: {
      next: (limit) => waiting.slice(0, limit),
      forget(ids) {
        waiting = waiting.filter(({ event_id }) => !ids.includes(event_id));
        if (waiting.length === 0) empty.resolve();
      },
    },
    send: async (events) => {
      sent.push(events.length);
      return (answers.length > 1 ? answers.shift()! : answers[0]!)(events);
    },
    firstPauseMs: 1,
    longestPauseMs: 4,
  });
  own.flush();
  own.flush();
  await empty.promise;
  await own.stop();
  return sent;
}

test('sends in batches, and deletes each only when the service has it', async () => {
  assert.deepEqual(await upload(450, takeAll), [200, 200, 50]);
});

test('sends all again after no response, an error or a rejection', async () => {
  const lost: Answer = () => ({ kind: 'no-answer', reason: 'gone' });
  const refused: Answer = () => ({ kind: 'refused', status: 403, code: 'x', message: 'No.' });
  const deaf: Answer = () => ({ kind: 'ok', value: { accepted: [], rejected: [] } });
  assert.deepEqual(await upload(3, lost, refused, deaf, lost, takeAll), [3, 3, 3, 3, 3]);
});

test('sends the rest when an event is never accepted', async () => {
  const rejectFirst: Answer = (events) => ({
    kind: 'ok',
    value: {
      accepted: events.slice(1).map(({ event_id }) => event_id),
      rejected: [{ index: 0, event_id: null, message: 'bad' }],
    },
  });
  assert.deepEqual(await upload(3, rejectFirst), [3]);
  const tooLarge: Answer = (events) =>
    events.length > 2 || events[0]?.event_id === 'e0'
      ? { kind: 'refused', status: 413, code: 'payload_too_large', message: 'Large.' }
      : takeAll(events);
  const sent = await upload(5, tooLarge);
  assert.deepEqual(
    [sent[0], sent.at(-1)],
    [5, 2],
    'halved until it fits; an event that is too large alone is dropped',
  );
});
