import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bareToolName, matchesTool, toolListing, toolMatcher } from '../../../shared/text/tool-name.ts';

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

  test('an entry that blocks or reviews also matches names that a program could take for it', () => {
    const disguised = [
      ' Send_Mail ',
      'SEND_MAIL',
      'send\u200b_mail',
      'ｓend_mail',
      'send_mail\u0000',
      'mcp__x__ Send_Mail',
    ];
    for (const name of disguised) {
      assert.ok(toolMatcher(['Send_mail'])(name), name);
      assert.ok(!matchesTool(name, ['send_mail']), name);
      assert.equal(toolListing(name, { blocked_tools: ['send_mail'] }), 'blocked', name);
      assert.equal(toolListing(name, { review_required_tools: ['send_mail'] }), 'review', name);
      assert.equal(toolListing(name, { allowed_tools: ['send_mail'] }), 'not_allowed', name);
    }
    for (const name of ['send mail', 'sendmail', 'resend_mail', 'send_mail.now', ''])
      assert.ok(!toolMatcher(['send_mail'])(name), name);
    assert.ok(!toolMatcher([])(''));
  });

  test('a name of any length is compared in linear time', () => {
    const name = `${'\u200b'.repeat(100_000)}ﷺ${' '.repeat(100_000)}`;
    assert.ok(!toolMatcher(['send_mail'])(name));
    assert.ok(toolMatcher(['send_mail'])(`${name.replace('ﷺ', '')}send_mail`));
  });
});
