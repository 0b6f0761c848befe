import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, Workspace } from '@csg/shared/detection';
import { formatByName } from '@csg/shared/providers';
import { createRelease } from '@csg/shared/streaming';
import { LiveSource } from '../../../../apps/cloud/src/flows/streams/live-source.ts';

const frame = Buffer.from(
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'these are words ' } }] })}\n\n`,
);

test('sends the first words as they arrive, and gathers later ones', async () => {
  const release = createRelease({
    format: formatByName('openai-chat'),
    ruleset: compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
    workspace: new Workspace(),
  });
  const source = new LiveSource(release!, () => {});
  source.onHead(200, { 'content-type': 'text/event-stream' });
  source.onData(frame);
  assert.ok(source.take() !== null);
  for (let piece = 1; piece < 40; piece++) {
    source.onData(frame);
    assert.ok(source.take(true) !== null);
  }
  source.onData(frame);
  source.onData(frame);
  assert.equal(source.take(), null);
  // The data that arrived first has resolved this wait already.
  await source.more();
  assert.equal(source.take(), null);
  await source.more();
  assert.ok(source.take()!.length > frame.length);
});
