import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@csg/shared/text';
import { OwnComments, withoutOwnComments } from '../../../apps/cloud/src/upstream/own-comments.ts';

/** Cut into chunks of this many bytes. */
function filtered(stream: string, size: number): string {
  const [bytes, comments] = [Buffer.from(stream), new OwnComments()];
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) kept.push(comments.push(bytes.subarray(at, at + size)));
  return Buffer.concat([...kept, comments.end()]).toString();
}

const FRAME = 'data: {"text":"a: service, serviceable"}\n\n';
const VERDICT = 'service {"decision":"allow","event_id":"evt_1"}';

const OWN = [
  ...[`:${VERDICT}`, `: ${VERDICT}`, `:\t ${VERDICT}`, `: SERVICE {}`, ': Service', ':service', ':services'],
  ...[`:\u00a0${VERDICT}`, `:\u2003\u3000 ${VERDICT}`, `:\ufeff${VERDICT}`],
];
const OTHERS = [
  ': ping',
  ':',
  ': ',
  ': s',
  ': servic',
  ':not service',
  ': "service"',
  ': waiting',
  'service: x',
];

test('a comment that begins like the gateway’s own is dropped, however it is cut; all else stays', () => {
  for (const [comments, isDropped] of [
    [OWN, true],
    [OTHERS, false],
  ] as const) {
    for (const comment of comments) {
      for (const end of ['\n', '\r\n', '\r']) {
        const stream = `${FRAME}${comment}${end}${end}${FRAME}${comment}`;
        const due = isDropped ? `${FRAME}${end}${end}${FRAME}` : stream;
        for (const size of [1, 2, 3, 7, stream.length]) assert.equal(filtered(stream, size), due, comment);
      }
    }
  }
  assert.equal(filtered(`: ${VERDICT}\n\n${FRAME}`, 1), `\n\n${FRAME}`, 'in the first line');
  assert.equal(filtered(`\ufeff: ${VERDICT}\n\n${FRAME}`, 99), `\ufeff\n\n${FRAME}`, 'behind a mark');
});

test('a stream without one is the same object where it comes in one piece', () => {
  const chunk = Buffer.from(FRAME.repeat(3));
  assert.deepEqual(new OwnComments().push(chunk), chunk);
  assert.deepEqual(finish(withoutOwnComments(chunk)), chunk);
});

test('white space without end is dropped, and takes linear time', () => {
  const costOf = (length: number): number => {
    const comments = new OwnComments();
    const begin = process.cpuUsage();
    comments.push(Buffer.from(':'));
    for (let n = 0; n < length; n++) assert.equal(comments.push(Buffer.from(' ')).length, 0);
    const { user, system } = process.cpuUsage(begin);
    assert.equal(comments.end().length, length < 4_096 ? length + 1 : 0);
    return user + system;
  };
  costOf(1_000);
  assert.ok(costOf(40_000) < 60 * (costOf(4_000) + 1_000));
});
