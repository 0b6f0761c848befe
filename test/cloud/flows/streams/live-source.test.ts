import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, Workspace } from '@csg/shared/detection';
import { formatByName } from '@csg/shared/providers';
import { createRelease } from '@csg/shared/streaming';
import { LiveSource } from '../../../../apps/cloud/src/flows/streams/live-source.ts';

const frame = Buffer.from(
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'these are words ' } }] })}\n\n`,
);

const releaseOf = () =>
  createRelease({
    format: formatByName('openai-chat'),
    ruleset: compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
    workspace: new Workspace(),
  });

test('sends the first words as they arrive, and gathers later ones', async () => {
  const source = new LiveSource(releaseOf(), () => {});
  source.onHead(200, { 'content-type': 'text/event-stream' });
  source.onData(frame);
  assert.ok(source.take() !== null);
  for (let piece = 1; piece < 40; piece++) {
    source.onData(frame);
    // As at the end of the response.
    source.wake();
    assert.ok(source.take(true) !== null);
  }
  source.onData(frame);
  source.onData(frame);
  assert.equal(source.take(), null);
  // The data that arrived before has resolved some waits already.
  let gathered: Buffer | null = null;
  while (gathered === null) {
    await source.more();
    gathered = source.take();
  }
  assert.ok(gathered.length > frame.length);
});

test('reads much at once in steps, in any order with what is sent', async () => {
  const frames = Array.from({ length: 400 }, () => frame);
  const waiting: (() => void)[] = [];
  // Pauses after each step.
  const source = new LiveSource(
    releaseOf(),
    () => {},
    'text/event-stream',
    async (work) => {
      for (;;) {
        const { done, value } = work.next();
        if (done) return value;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  );
  source.onHead(200, { 'content-type': 'text/event-stream' });
  source.onData(Buffer.concat(frames));
  const sent: Buffer[] = [];
  for (let step = 0; source.isReading; step++) {
    if (step === 700) source.onData(frame);
    if (step % 7 === 0) sent.push(source.take(true) ?? Buffer.alloc(0));
    waiting.shift()!();
    await null;
    await null;
  }
  source.wake();
  while (waiting.length > 0) {
    waiting.shift()!();
    await null;
    await null;
  }
  sent.push(source.take(true) ?? Buffer.alloc(0));
  const whole = Buffer.concat([...frames, frame]);
  assert.ok(sent.filter(({ length }) => length > 0).length > 20);
  assert.deepEqual(Buffer.concat([...sent, source.restOf(whole)]), whole);
});
