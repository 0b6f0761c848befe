import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswerMemory } from '../../../apps/desktop/src/cloud-client/create-answer-memory.ts';
import { createAnswerDigest } from '../../../apps/desktop/src/cloud-client/mask-digest.ts';

const DAY_MS = 86_400_000;

test('what one process has kept, a later one with the same credential knows, for 30 days', () => {
  let nowMs = 0;
  const kept: { digest: string; atMs: number }[] = [];
  const open = (credential: string) =>
    createAnswerMemory(
      () => nowMs,
      createAnswerDigest(credential),
      (digests) => kept.push(...digests.map((digest) => ({ digest, atMs: nowMs }))),
    );
  const first = open('credential');
  first.storeAnswer('api.example', ['resp_1', '["seal","A thought of 536-90-4399."]']);
  first.storeAnswer('api.example', []);
  assert.equal(first.isAnswered('api.example', 'resp_1'), true);
  assert.equal(first.isAnswered('other.example', 'resp_1'), false);
  assert.doesNotMatch(JSON.stringify(kept), /resp_1|thought|536-90/);

  const second = open('credential');
  assert.equal(second.isAnswered('api.example', 'resp_1'), false);
  second.restore(kept);
  assert.equal(second.isAnswered('api.example', '["seal","A thought of 536-90-4399."]'), true);
  assert.equal(second.isAnswered('api.example', '["seal","Another thought."]'), false);
  nowMs = 31 * DAY_MS;
  assert.equal(second.isAnswered('api.example', 'resp_1'), false);

  const stranger = open('another credential');
  stranger.restore(kept);
  nowMs = 0;
  assert.equal(stranger.isAnswered('api.example', 'resp_1'), false);
});
