import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { FramedMessage } from '../../../apps/desktop/src/inspect/read-messages.ts';
import { watchFrames } from '../../../apps/desktop/src/inspect/watch-frames.ts';
import { protoMessage } from '../../support/desktop/connect-frames.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

const SECRET = ['AKIA', 'Q3EGRZ4XHUWKT2NB'].join('');

function watched(policy: Parameters<typeof testPolicy>[0], frames: (readonly FramedMessage[] | null)[]) {
  const request = {
    compiled: compilePolicy(testPolicy(policy)),
    host: 'api2.cursor.sh',
    path: '/x',
    method: 'POST',
  };
  let ids = 0;
  const tools = { now: () => 0, newEventId: () => `evt_${++ids}` };
  const watch = watchFrames(request, () => frames.shift()!, tools);
  return frames.slice().map(() => watch.push(new Uint8Array(1)));
}
const delta = (text: string, id = 'c0ffee00-0000'): FramedMessage[] => [
  {
    codec: 'proto',
    bytes: protoMessage([
      [1, [[1, text]]],
      [2, id],
    ]),
  },
];

test('a secret in pieces of one field is found, whatever lies between them', () => {
  const pieces = ['Here is the key: ', SECRET.slice(0, 7), `${SECRET.slice(7)} `, 'done'];
  const verdicts = watched(
    {},
    pieces.map((text) => delta(text)),
  );
  const first = verdicts.find(({ event }) => event !== null);
  assert.equal(first?.event?.threatType, 'secret_leak');
  assert.equal(verdicts[0]?.event, null);
  const harmless = watched(
    {},
    ['The capital ', 'is Paris.'].map((text) => delta(text)),
  );
  assert.deepEqual(
    harmless.map(({ kind, event }) => [kind, event]),
    [
      ['forward', null],
      ['forward', null],
    ],
  );
});

test('unreadable frames are reported once, or blocked if the policy fails closed', () => {
  const open = watched({}, [null, null]);
  assert.deepEqual(
    open.map(({ kind, event }) => [kind, event?.reason]),
    [
      ['forward', 'unread'],
      ['forward', undefined],
    ],
  );
  const [closed] = watched({ failClosed: true }, [null]);
  assert.equal(closed?.kind, 'block');
});
