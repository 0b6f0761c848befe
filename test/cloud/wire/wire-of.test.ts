import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nullable, nullableText, shape, timestamp } from '@csg/shared/contract';
import Type from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../apps/cloud/src/wire/iso-time.ts';
import { wireOf } from '../../../apps/cloud/src/wire/wire-of.ts';

const parcelSchema = shape('Parcel', {
  id: Type.String(),
  at: timestamp,
  sent_at: nullable(timestamp),
  project_id: nullableText,
  is_heavy: Type.Boolean(),
  tags: Type.Array(Type.String()),
  state: Type.Enum(['open', 'sent']),
});

const record = {
  id: 'p1',
  atMs: 0,
  sentAtMs: null,
  projectId: null,
  isHeavy: true,
  tags: ['a'] as readonly string[],
  state: 'open' as const,
};

test('a record is written by the schema of the contract, times in ISO 8601', () => {
  const wire = wireOf(parcelSchema);
  assert.deepEqual(wire(record), {
    id: 'p1',
    at: '1970-01-01T00:00:00.000Z',
    sent_at: null,
    project_id: null,
    is_heavy: true,
    tags: ['a'],
    state: 'open',
  });
  assert.equal(wire({ ...record, sentAtMs: 1_000 }).sent_at, '1970-01-01T00:00:01.000Z');
  // @ts-expect-error: a record that lacks a member of the shape is a type error
  wireOf(parcelSchema)({ ...record, isHeavy: undefined });
});

test('fields beyond the schema are not written, and omitted ones are left to the caller', () => {
  const stored = { ...record, passwordHash: 'secret' };
  const wire = wireOf(parcelSchema, 'state');
  assert.deepEqual(Object.keys(wire(stored)), ['id', 'at', 'sent_at', 'project_id', 'is_heavy', 'tags']);
  const whole: { state: string; id: string } = { ...wire(stored), state: 'sent' };
  assert.deepEqual([whole.id, whole.state], ['p1', 'sent']);
});

test('times are written in UTC, and null stays null', () => {
  assert.equal(isoTime(1_700_000_000_123), '2023-11-14T22:13:20.123Z');
  assert.deepEqual([isoTimeOrNull(0), isoTimeOrNull(null)], ['1970-01-01T00:00:00.000Z', null]);
});
