import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  packSlots as packingSlots,
  unpackSlots,
} from '../../../apps/cloud/src/detection-workers/packed-slots.ts';
import type { TextSlot } from '../../../shared/text/index.ts';
import { finish } from '../../../shared/text/index.ts';

const packSlots = (...given: Parameters<typeof packingSlots>) => finish(packingSlots(...given));

test('unpacks texts in order, with the fields that the engine needs', () => {
  const slots: TextSlot[] = [
    { path: '/messages/0/content', role: 'user', text: 'Hello' },
    { path: '/messages/0/content/1/text', role: 'user', text: 'again' },
    { path: '/messages/1/content', role: 'tool_result', text: '41', isNumber: true },
    { path: '/metadata/team~key', role: 'metadata', text: 'team', isKey: true },
  ];
  const plain = { isKey: false, isNumber: false };
  assert.deepEqual(unpackSlots(packSlots(slots)), [
    { path: '/messages/0', role: 'user', text: 'Hello', ...plain },
    { path: '/messages/0', role: 'user', text: 'again', ...plain },
    { path: '/messages/1', role: 'tool_result', text: '41', ...plain, isNumber: true },
    { path: '/metadata/team~key', role: 'metadata', text: 'team', ...plain, isKey: true },
  ]);
  assert.deepEqual(unpackSlots(packSlots([])), []);
});
