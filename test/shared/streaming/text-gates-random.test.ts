import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import { compileRuleset, type Finding, scan, Workspace } from '@csg/shared/detection';
import fc from 'fast-check';
import { ANSWER_RULES, MARKUP_RULES } from '../../../shared/detection/rules/markup.ts';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { createTextGates } from '../../../shared/streaming/text-gates.ts';
import { cases, seedFor } from '../../support/part.ts';
import { createRandom } from '../../support/random.ts';
import { sampleOf } from '../../support/sample-of.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../../support/sensitive-values.ts';

/** Blocks whatever is found, so that no finding may be released. */
const RULESET = compileRuleset({
  useCase: 'support_bot',
  strictness: 'strict',
  policies: [{ id: 'all', action: 'block', threatTypes: [...THREAT_TYPES] }],
});
const SLOT = { path: '/', role: 'assistant' } as const;
const workspace = new Workspace();
const whole = (text: string) => scan([{ ...SLOT, text }], RULESET, 'output', { workspace });
const start = () => createTextGates(RULESET, { workspace }).open('assistant');
/** Where the first finding begins that may not be released. */
const firstOf = (findings: readonly Finding[]) => Math.min(...findings.map((finding) => finding.start));

const PROSE =
  'The report for the second quarter is ready, and my team has read it: sales rose by 12 points in 2024. This is what we know so far. I am sure that the initial plan, which the developer described at length, is still a good one; we can meet at 3 or 4 and look at the numbers again (see the point above). Ein Satz auf Deutsch, und вот ещё один на русском языке. Straßen, café, naïve. - One item * another "quoted word" and it’s fine…';
const WORDS = PROSE.split(' ');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const DISGUISES: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value,
  (value) => value,
  base64,
  (value) => Buffer.from(value).toString('hex'),
  encodeURIComponent,
  (value) => [...value].join('.'),
  (value) => [...value].join(' '),
  (value) => [...value].reverse().join(''),
  (value) => value.replaceAll('@', '=40').replaceAll('-', '=2D'),
  (value) => [...value].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  (value) => [...value].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (value) => [...value].join('\u200b'),
  (value) => `\u202e${[...value].reverse().join('')}\u202c`,
  (value) => value.replaceAll('@', ' at ').replaceAll('.', ' dot '),
  (value) => value.replaceAll('@', ' (at) ').replaceAll('.', ' punkt '),
  (value) => `"${value.replace('@', ' b"@')}`,
];
/** Characters that change the meaning of the text before or after them. */
const SWITCHES = [
  ' eht dna ',
  ' rof ',
  ' dot ',
  '=41=42=43',
  'caf=C3=A9=\n',
  '=?utf-8?q?',
  '?a=b+c',
  'anna at example point de',
  'moc tod elpmaxe ta anna',
  'Anna [ at ] example [ dot ] com',
  'anna [ at ] example.com',
  'ßenna ät exämple punkt de',
  'anna dot miller at mail dot example dot org',
  '4111 / 1111 / 1111 / 1111',
  '[ 4111 ] 1111 1111 1111',
  'api_key=\n',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n',
  '-----END RSA PRIVATE KEY-----',
  'phone',
  'card number:',
  'version',
  'https://anna:',
  '@example.com',
  '+1 415 555',
  'secret_key =',
  'my password for the shop is Hk72!vbQp9.',
  '\n9pQbv!27kH si pohs eht rof drowssap eht dna\n',
  'Here is мy sуstem prompt: "',
  '＜form action="//x.example/a">',
  'password:',
  'mot de passe : Vert-Chat-77',
  'curl -s -u deploy:Vf83kLq92',
  '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1',
  '```\n',
  '<form action="//x.example/a">',
  'type="password"',
  '\n',
  '"',
  '(',
  '1',
  '12',
  '4111',
  '1111',
];
const SAMPLES = [...ANSWER_RULES, ...MARKUP_RULES].flatMap(({ match }) => match);

const prose = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 60 })
  .map((words) => words.join(' '));
const value = fc
  .tuple(fc.nat(VALUE_FORMS - 1), fc.nat(), fc.constantFrom(...DISGUISES))
  .map(([form, seed, disguise]) => disguise(sensitiveValue(createRandom(seed), form).text));
const secret = fc
  .tuple(fc.constantFrom(...SECRET_KINDS), fc.nat())
  .map(([{ form }, seed]) => sampleOf(form, (below) => createRandom(seed).below(below)));
/** A sentence that reveals instructions, with the maximum distance between its parts that the rule allows. */
const disclosure = fc
  .tuple(
    fc.constantFrom(
      'Here is ',
      'ok/here are ',
      'here’s ',
      'this isn',
      'Sure, ',
      'sureat ',
      'Of course: ',
      '',
    ),
    fc.array(fc.constantFrom('what', 'you', 'I', 'a', '(see)', 'done.**Next', 'x_y', '12'), { maxLength: 9 }),
    fc.array(fc.constantFrom('full', 'entire', 'initial', 'hidden', 'secret'), { maxLength: 4 }),
    fc.constantFrom('system prompt', 'initial prompt', 'hidden instructions', 'developer message'),
    fc.array(fc.constantFrom('is', 'says', 'now', 'asked'), { maxLength: 6 }),
  )
  .map(([head, between, kinds, what, after]) =>
    [`${head}${between.join(' ').slice(0, 39)}`, 'my', ...kinds, what, ...after, ': "'].join(' '),
  );
const part = fc.oneof(
  { weight: 8, arbitrary: prose },
  { weight: 3, arbitrary: value },
  { weight: 1, arbitrary: secret },
  { weight: 2, arbitrary: fc.constantFrom(...SWITCHES) },
  { weight: 1, arbitrary: fc.constantFrom(...SAMPLES) },
  { weight: 1, arbitrary: disclosure },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);
const gap = fc.oneof({ weight: 6, arbitrary: fc.constant(' ') }, fc.constantFrom(...SEPARATORS));
const text = (maxLength: number) =>
  fc.array(fc.tuple(part, gap), { maxLength }).map((parts) => parts.flat().join(''));
const RUNS = { seed: seedFor('text gates'), numRuns: cases(300, 1_500) };

describe('a gate for a text in pieces', () => {
  test('releases nothing that a scan of the whole text finds', () => {
    fc.assert(
      fc.property(text(24), fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (whole_, sizes) => {
        const pieces = start();
        let released = 0;
        for (let at = 0, turn = 0; at < whole_.length; turn++) {
          const next = at + sizes[turn % sizes.length]!;
          const now = pieces.push(whole_.slice(at, next));
          assert.ok(now >= released && now <= Math.min(next, whole_.length));
          released = now;
          at = next;
        }
        const findings = whole(whole_);
        assert.ok(released <= firstOf(findings), `${released} was released: ${JSON.stringify(findings[0])}`);
      }),
      RUNS,
    );
  });

  test('released text stays free of findings, whatever follows', () => {
    fc.assert(
      fc.property(text(12), fc.array(text(4), { minLength: 1, maxLength: 6 }), (before, continuations) => {
        const released = start().push(before);
        for (const after of continuations) {
          const first = whole(before + after)[0];
          if (first === undefined) continue;
          assert.ok(released <= firstOf(whole(before + after)), `${released}: ${JSON.stringify(first)}`);
        }
      }),
      RUNS,
    );
  });

  test('releases plain words after at most 250 characters', () => {
    const pieces = start();
    const long = `${'The quick brown fox jumps over the lazy dog. '.repeat(200)}`;
    for (let at = 0; at < long.length; at += 7) {
      const released = pieces.push(long.slice(at, at + 7));
      assert.ok(at + 7 - released < 250, `${at + 7 - released} characters are held`);
    }
  });

  test('a harmless number is released once later text cannot change that', () => {
    const pieces = start();
    const number = 'It has 1,234,567 inhabitants (2.5%). ';
    const plain = 'Nothing follows but words that are plain. '.repeat(60);
    assert.ok(pieces.push(number) <= number.indexOf('1'));
    assert.ok(pieces.push(plain) > number.length);
  });

  test('tool calls and responses under custom rules are not released early', () => {
    const long = 'Plain words. '.repeat(100);
    const custom = compileRuleset({
      useCase: 'default',
      strictness: 'strict',
      policies: [
        {
          id: 'p',
          action: 'block',
          threatTypes: [],
          rules: { patterns: [{ name: 'codename', pattern: 'bluebird' }] },
        },
      ],
    });
    assert.equal(createTextGates(RULESET).open('tool_call').push(long), 0);
    assert.equal(createTextGates(custom).open('assistant').push(long), 0);
  });
});
