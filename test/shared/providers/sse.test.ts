import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isEventStream } from '../../../shared/providers/index.ts';

it('isEventStream checks only the media type', () => {
  for (const yes of ['text/event-stream', 'Text/Event-Stream; charset=utf-8', ' text/event-stream;x'])
    assert.ok(isEventStream(yes), yes);
  for (const no of ['application/json', 'text/event-streams', '', null, undefined])
    assert.ok(!isEventStream(no), String(no));
});
