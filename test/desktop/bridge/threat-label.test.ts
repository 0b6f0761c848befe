import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import { threatLabel } from '../../../apps/desktop/src/bridge/threat-label.ts';

test('every threat type has a label without underscores, also one of a later version', () => {
  for (const type of [...THREAT_TYPES, 'of_a_later_version', null])
    assert.match(threatLabel(type), /^[A-Z][a-z ,]+/);
});
