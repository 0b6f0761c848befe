import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import { threatLabel } from '../../../apps/desktop/src/bridge/threat-words.ts';

test('every threat type has words without an underscore, and a type of a later version does too', () => {
  for (const type of [...THREAT_TYPES, 'of_a_later_version', null])
    assert.match(threatLabel(type), /^[A-Z][a-z ,]+/);
});
