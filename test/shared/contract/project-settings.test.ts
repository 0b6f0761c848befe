import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changedSettings,
  effectiveSettings,
  explicitNames,
  FAIL_MODES,
  PROJECT_SETTINGS,
  SETTING_NAMES,
  STRICTNESS_LEVELS,
} from '@csg/shared/contract';
import Schema from 'typebox/schema';

const basis = (strictness_level: 'strict' | 'moderate' | 'permissive', fail_mode: 'open' | 'closed') => ({
  strictness_level,
  fail_mode,
});

test('on_unscanned: "`allow` (default of moderate and permissive) or `block` (default of strict, and of every project with `fail_mode: closed`)"', () => {
  const defaults = STRICTNESS_LEVELS.flatMap((level) =>
    FAIL_MODES.map((mode) => [level, mode, effectiveSettings({}, basis(level, mode)).on_unscanned]),
  );
  assert.deepEqual(defaults, [
    ['strict', 'open', 'block'],
    ['strict', 'closed', 'block'],
    ['moderate', 'open', 'allow'],
    ['moderate', 'closed', 'block'],
    ['permissive', 'open', 'allow'],
    ['permissive', 'closed', 'block'],
  ]);
});

test('a project’s own value overrides the strictness; null resets it, an absent one keeps it', () => {
  const own = changedSettings({}, { on_unscanned: 'allow' });
  assert.equal(effectiveSettings(own, basis('strict', 'closed')).on_unscanned, 'allow');
  assert.deepEqual(explicitNames(own), ['on_unscanned']);
  assert.deepEqual(changedSettings(own, {}), own);
  assert.deepEqual(changedSettings(own, { on_unscanned: null }), {});
  assert.deepEqual(explicitNames({}), []);
});

test('every setting’s defaults fit its schema, and each of its values has a label', () => {
  for (const name of SETTING_NAMES) {
    const { schema, options } = PROJECT_SETTINGS[name];
    for (const level of STRICTNESS_LEVELS) {
      for (const mode of FAIL_MODES) {
        assert.ok(
          Schema.Check(schema, effectiveSettings({}, basis(level, mode))[name]),
          `${name} ${level} ${mode}`,
        );
      }
    }
    assert.deepEqual(Object.keys(options), 'enum' in schema ? [...schema.enum] : [], name);
  }
});
