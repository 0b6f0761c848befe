import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardRequestSchema, PROBE_CATEGORIES } from '@csg/shared/contract';
import Schema from 'typebox/schema';
import {
  ATTACK_PROBES,
  findProbe,
  HARMLESS_PROBES,
} from '../../../apps/cloud/src/security-testing/all-probes.ts';
import { readProbe } from '../../../apps/cloud/src/security-testing/probe.ts';

const EVERY = [...ATTACK_PROBES, ...HARMLESS_PROBES];

test('there are at least 120 attacks, ten or more in each of the 12 categories, and 40 harmless texts', () => {
  assert.ok(ATTACK_PROBES.length >= 120, String(ATTACK_PROBES.length));
  assert.ok(HARMLESS_PROBES.length >= 40, String(HARMLESS_PROBES.length));
  assert.deepEqual(
    [...new Set(ATTACK_PROBES.map((probe) => probe.category))],
    [...PROBE_CATEGORIES],
    'every category, in order, and no other',
  );
  for (const category of PROBE_CATEGORIES) {
    const { length } = ATTACK_PROBES.filter((probe) => probe.category === category);
    assert.ok(length >= 10, `${category}: ${length}`);
  }
  assert.ok(HARMLESS_PROBES.every((probe) => probe.category === 'harmless'));
});

test('names are unique, fit into a URL and lead to their probe; no text is tried twice', () => {
  for (const probe of EVERY) {
    assert.match(probe.name, /^[a-z0-9]+(?:_[a-z0-9]+)+$/);
    assert.equal(findProbe(probe.name)?.description, probe.description);
    assert.match(probe.description, /\.$/, probe.name);
  }
  assert.equal(new Set(EVERY.map((probe) => probe.name)).size, EVERY.length);
  assert.equal(new Set(EVERY.map((probe) => JSON.stringify(probe.tried))).size, EVERY.length);
  assert.equal(findProbe('custom'), undefined);
  assert.equal(findProbe('constructor'), undefined);
});

test('every probe is a valid guard request, can be read completely, and contains its planted data', () => {
  for (const probe of EVERY) {
    if (typeof probe.tried !== 'string') {
      assert.ok(Schema.Check(guardRequestSchema, probe.tried), `${probe.name} is no guard request`);
    }
    const { slots, unscanned } = readProbe(probe.tried).conversation;
    assert.deepEqual(unscanned, [], probe.name);
    for (const data of probe.planted ?? []) {
      assert.ok(
        slots.some((slot) => slot.text.includes(data)),
        `${probe.name}: ${data} is missing`,
      );
    }
  }
});

test('conversations, all six carriers and responses are tried', () => {
  const whole = ATTACK_PROBES.flatMap(({ tried }) => (typeof tried === 'string' ? [] : [tried]));
  assert.ok(whole.filter((request) => request.messages.length >= 3).length >= 10, 'conversations');
  assert.ok(whole.filter((request) => request.direction === 'output').length >= 8, 'responses');
  assert.ok(whole.filter((request) => request.context?.tool_calls).length >= 8, 'tool calls');
  const carriers = ATTACK_PROBES.filter(({ category }) => category === 'indirect_injection').map(
    ({ description }) => description.split(':')[0],
  );
  assert.deepEqual(
    [...new Set(carriers)],
    ['Web page', 'Mail', 'Document', 'Tool result', 'Source code', 'Record'],
  );
});
