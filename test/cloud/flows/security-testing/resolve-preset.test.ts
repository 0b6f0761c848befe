import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { listPresets } from '@csg/shared/detection';
import { resolvePreset } from '../../../../apps/cloud/src/flows/security-testing/resolve-preset.ts';

test('resolves bare names, takes composed ones as given, and defaults to `default:moderate`', () => {
  assert.equal(resolvePreset('strict').name, 'default:strict');
  assert.equal(resolvePreset('support_bot').name, 'support_bot:moderate');
  assert.equal(resolvePreset('default').name, 'default:moderate');
  assert.equal(resolvePreset(undefined).name, 'default:moderate');
  assert.equal(resolvePreset(null).name, 'default:moderate');
  for (const name of listPresets().filter((each) => each.includes(':'))) {
    assert.equal(resolvePreset(name).name, name);
  }
});

test('rejects anything else as invalid_preset, with every valid name', () => {
  const others = [
    'permissive',
    'moderate',
    '',
    'STRICT',
    ' strict',
    'default:',
    ':strict',
    'default:strict:x',
  ];
  for (const wrong of [...others, 'constructor', '__proto__', 7, true, [], {}, ['strict']]) {
    assert.throws(
      () => resolvePreset(wrong),
      (error) => {
        assert.ok(error instanceof CodedError, String(wrong));
        assert.equal(error.code, 'invalid_preset');
        assert.deepEqual(error.fields['valid_presets'], listPresets());
        return true;
      },
    );
  }
});
