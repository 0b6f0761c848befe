import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bareToolName, matchesTool } from '../../../shared/text/tool-name.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const separator = fc.constantFrom('.', ':', '__');

describe('tool names', () => {
  test('returns the part after the last separator', () => {
    for (const [name, bare] of [
      ['bash', 'bash'],
      ['shell.bash', 'bash'],
      ['mcp__box__bash', 'bash'],
      ['a:b.c__bash', 'bash'],
      ['a__b.c', 'c'],
      ['a___bash', 'bash'],
      ['snake_case_name', 'snake_case_name'],
      ['ends.', ''],
    ]) {
      assert.equal(bareToolName(name!), bare, name);
    }
  });

  test('an entry matches the full name or the last part, whatever the prefix', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, separator), { maxLength: 4 }), word, (before, last) => {
        const name = `${before.map(([part, sign]) => part + sign).join('')}${last}`;
        assert.ok(matchesTool(name, [last]));
        assert.ok(matchesTool(name, [name]));
        assert.ok(!matchesTool(name, [`${last}x`, `x${last}`, last.toUpperCase()]));
      }),
      { seed: 1 },
    );
  });

  test('an entry matches no substring, and no part but the last', () => {
    fc.assert(
      fc.property(word, word, separator, (first, last, sign) => {
        fc.pre(first !== last);
        assert.ok(!matchesTool(`${first}${sign}${last}`, [first]));
        assert.ok(!matchesTool(`${first}_${last}`, [last, first]));
      }),
      { seed: 2 },
    );
    assert.ok(!matchesTool('form', ['rm']));
    assert.ok(!matchesTool('rm', ['shell.rm']));
  });
});
