import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, scan } from '@csg/shared/detection';
import { beginning, createTextGates, NO_WORD } from '../../../shared/streaming/text-gates.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { sampleOf } from '../../support/sample-of.ts';

const RULESET = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const WORDS =
  'the report is ready, and my team has read it: we can meet on Monday, at 3 or 4, in the office for a while (see above).'.split(
    ' ',
  );
/** Phrases with a password, or commands with one. `§` is the password. */
const NAMED = [
  'the password is §',
  'password: §',
  'my password for the old shop is §',
  '<user password="§"/>',
  'mot de passe : §',
  'Passwort lautet: §',
  'パスワード：§',
  'curl -s --user deploy:§',
];

const prose = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick(WORDS)).join(' ');

test('no part of a blocked password is released, wherever the text is split', () => {
  const random = createRandom(31);
  for (let round = 0; round < 300; round++) {
    const password = sampleOf('{C4}{D2}!{C3}{D1}', (below) => random.below(below));
    const named = random.pick(NAMED).replace('§', () => password);
    const text = `${prose(random, random.below(160))} ${named} ${prose(random, 120)}`;
    const found = scan([{ path: '', role: 'assistant', text }], RULESET, 'output');
    assert.equal(found.find(({ pii }) => pii === 'api_key')?.start, text.indexOf(password), text);
    const gate = createTextGates(RULESET).open('assistant');
    let released = 0;
    for (let at = 0; at < text.length; ) {
      const size = 1 + random.below(20);
      released = gate.push(text.slice(at, at + size));
      at += size;
    }
    assert.ok(released <= text.indexOf(password), `${released}: ${text}`);
  }
});

test('a text begins with plain words, with something else, or has not begun', () => {
  for (const text of ['The report is', '\n\n**Checking the ', '. And so ', 'Это очень просто', 'It is, you '])
    assert.equal(beginning(text), 'plain', text);
  for (const text of ['', 'The', 'The report', '. ', 'It is', '**Checking'])
    assert.equal(beginning(text), 'open', text);
  for (const text of [
    '7QWERTYU and so',
    'DNN7QWERTYU',
    'a dot com ',
    '4111 1111 ',
    `${'x'.repeat(40)}`,
    'The 4111 ',
    '/path/to/it is ',
  ])
    assert.notEqual(beginning(text), 'plain', text);
  assert.ok(NO_WORD.test(', ') && NO_WORD.test('') && !NO_WORD.test('a'));
});
