import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import type { DeviceEvent } from '@csg/shared/contract';
import { createEventUpload } from '../../../../apps/desktop/src/agent/service/event-upload.ts';
import { openJournal } from '../../../../apps/desktop/src/journal/open-journal.ts';
import { openLoopbackService, type ServiceReply } from '../../../support/desktop/loopback-service.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

/** The response of the service to these events. */
type Answer = (ids: readonly string[]) => ServiceReply | null;
const say = (status: number, body: object): ServiceReply => ({ status, body: JSON.stringify(body) });
const takeAll: Answer = (ids) => say(200, { accepted: ids, rejected: [] });

/** Sends `count` events; the responses come in this order, the last one repeats. Resolves when no event is pending. */
async function upload(count: number, ...answers: Answer[]) {
  const file = path.join(tempFolder('upload'), 'journal.sqlite');
  const journal = openJournal({ file, maxEvents: 1_000, nowMs: 0 });
  after(() => journal.close());
  for (let i = 0; i < count; i++) journal.add({ event_id: `e${i}`, decision: 'block' });
  const sent: number[] = [];
  const client = await openLoopbackService((_request, body) => {
    const { events } = JSON.parse(body) as { events: readonly DeviceEvent[] };
    sent.push(events.length);
    return (answers.length > 1 ? answers.shift()! : answers[0]!)(events.map(({ event_id }) => event_id));
  });
  const own = createEventUpload({ journal, send: client.sendEvents, firstPauseMs: 1, longestPauseMs: 4 });
  own.flush();
  own.flush();
  await until(
    async () => journal.waiting(),
    (waiting) => waiting === 0,
  );
  await own.stop();
  return sent;
}

test('sends in batches, and deletes each only when the service has it', async () => {
  assert.deepEqual(await upload(450, takeAll), [200, 200, 50]);
});

test('sends all again after no response, an error or a rejection', async () => {
  const lost: Answer = () => null;
  const refused: Answer = () => say(403, { error: { code: 'x', message: 'No.' } });
  const deaf: Answer = () => say(200, { accepted: [], rejected: [] });
  assert.deepEqual(await upload(3, lost, refused, deaf, lost, takeAll), [3, 3, 3, 3, 3]);
});

test('sends the rest when an event is never accepted', async () => {
  const rejectFirst: Answer = (ids) =>
    say(200, { accepted: ids.slice(1), rejected: [{ index: 0, event_id: null, message: 'bad' }] });
  assert.deepEqual(await upload(3, rejectFirst), [3]);
  const tooLarge: Answer = (ids) =>
    ids.length > 2 || ids[0] === 'e0'
      ? say(413, { error: { code: 'payload_too_large', message: 'Large.' } })
      : takeAll(ids);
  const sent = await upload(5, tooLarge);
  assert.deepEqual(
    [sent[0], sent.at(-1)],
    [5, 2],
    'halved until it fits; an event that is too large alone is dropped',
  );
});
