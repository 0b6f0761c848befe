import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import { compileRuleset, piiSpans, SENSITIVE_TYPES, scan, Workspace } from '@csg/shared/detection';
import { INVISIBLE } from '../../../shared/detection/normalize/fold-code.ts';
import { CARE, DROP } from '../../../shared/detection/normalize/tables.ts';
import { RULE_SETS } from '../../../shared/detection/rules/index.ts';
import { DISCLOSURE } from '../../../shared/detection/rules/markup.ts';
import { createMatcher, type RuleHit } from '../../../shared/detection/rules/match-rules.ts';
import type { Rule } from '../../../shared/detection/rules/rule.ts';
import { isMixedWord, PlainWords } from '../../../shared/streaming/words.ts';
import { longestMatch } from '../../support/longest-match.ts';
import { createRandom } from '../../support/random.ts';
import { type SampledRow, sampledRows } from '../../support/reach-samples.ts';

const RULES = (Object.values(RULE_SETS) as readonly (readonly Rule[])[]).flat();
const RULESET = compileRuleset({
  useCase: 'support_bot',
  strictness: 'strict',
  policies: [{ id: 'all', action: 'block', threatTypes: [...THREAT_TYPES] }],
});
const workspace = new Workspace();
const TYPES = SENSITIVE_TYPES.map(({ type }) => type);
/** What a response is scanned for, and personal data that is not acted on in responses. */
const found = (text: string) => [
  ...scan([{ path: '', role: 'assistant', text }], RULESET, 'output', { workspace }),
  ...piiSpans(text, TYPES, workspace),
];
const PLAIN = 'and so the words go on until the end of the day when we meet in the garden of the old house ';
/** Plain words of about this length; they begin and end with a space. */
const plain = (length: number): string =>
  ` ${PLAIN.repeat(Math.ceil((length + 1) / PLAIN.length))}`.slice(0, length + 1).replace(/\S*$/, '');
/** Some rules only match at the beginning of a sentence or command. */
const JOINTS = ['', '. ', '; ', '\n'];
/** Texts that change what is found near them. */
const FAR = [
  'password: ',
  'key = ',
  'phone ',
  'example ',
  'https://',
  '+1 415 555 ',
  '4111 1111 ',
  '@harbour.de ',
  '" ',
  'order number ',
];

test('the longest match of a pattern is measured', () => {
  const cases: readonly (readonly [pattern: string, length: number])[] = [
    ['abc', 3],
    ['a|bcd', 3],
    ['\\ba[^\\]]{2,4}(?:x|yz)?\\b', 7],
    ['(?:a )*', Number.POSITIVE_INFINITY],
    ['\\p{L}[)]{3}(?!abc)', 4],
    ['a.{0,20}?b', 22],
  ];
  for (const [pattern, length] of cases) assert.equal(longestMatch(pattern), length, pattern);
});

test('no match of a rule is longer than its reach, and only rules with endless parts end with their piece', () => {
  const qualified = `(?:${DISCLOSURE.qualifiers.map((word) => `${word} `).join('|')})`;
  for (const { id, pattern, reach } of RULES) {
    // a gate closes after three qualifiers
    const longest = longestMatch(pattern.replaceAll(`${qualified}*`, `${qualified}{0,3}`));
    if (reach.ends === 'with its piece') assert.equal(longest, Number.POSITIVE_INFINITY, id);
    else assert.ok(longest <= reach.before + reach.after, `${id}: ${longest}`);
  }
});

test('text beyond the reach of a rule changes none of its matches', () => {
  for (const rule of RULES) {
    const match = createMatcher([rule]);
    const hitsIn = (text: string): RuleHit[] => {
      const hits: RuleHit[] = [];
      match(text, 0, text.length, hits);
      return hits;
    };
    const { before, after, ends } = rule.reach;
    for (const sample of rule.match) {
      assert.equal(hitsIn(sample).length, 1, `${rule.id}: ${sample}`);
      // Nothing is further away than the piece that it is read in.
      if (ends === 'with its piece') continue;
      // Nor may the sign of another match reach the sample.
      const gap = plain(before + after);
      const near = JOINTS.map((joint) => gap + joint + sample + gap).find((text) => hitsIn(text).length > 0);
      const [hit] = near === undefined ? [] : hitsIn(near);
      assert.ok(near !== undefined && hit !== undefined, `${rule.id}: ${sample}`);
      for (const far of rule.noMatch) {
        const [same] = hitsIn(`${far}${near}${far}`);
        assert.deepEqual(
          [same?.start, same?.end],
          [hit.start + far.length, hit.end + far.length],
          `${rule.id}: ${far}`,
        );
      }
      const keyword = Math.min(
        ...rule.keywords.map((word) => near.toLowerCase().indexOf(word, hit.start)).filter((at) => at >= 0),
      );
      const cut = near.slice(Math.max(0, keyword - before), keyword + after);
      assert.equal(hitsIn(cut).length, 1, `${rule.id}: ${cut}`);
    }
  }
});

test('text beyond the reach of a row changes none of its findings', () => {
  for (const { name, reaches, texts } of sampledRows(createRandom(17))) {
    const before = Math.max(...reaches.map((one) => one.before));
    const after = Math.max(...reaches.map((one) => one.after));
    const isEndless = after === Number.POSITIVE_INFINITY;
    for (const sample of texts) {
      const lead = plain(before);
      const near = lead + sample + (isEndless ? ' ' : plain(after));
      const own = found(near).filter(({ start }) => start >= lead.length);
      assert.ok(own.length > 0, `${name} finds nothing in ${sample}`);
      for (const far of FAR) {
        const all = found(far + near + (isEndless ? '' : far));
        for (const { rule, start, end } of own)
          assert.ok(
            all.some(
              (one) => one.rule === rule && one.start === start + far.length && one.end === end + far.length,
            ),
            `${name}: ${rule} of ${sample} changes with ${far}`,
          );
      }
    }
  }
});

test('every invisible character that is dropped is a sign, except those within emoji', () => {
  const isExcepted = (code: number): boolean => [0x200c, 0x200d, 0xfe0e, 0xfe0f].includes(code);
  const missed: string[] = [];
  for (let code = 0x80; code < 0x10_000; code++)
    if (CARE[code] === DROP && !isExcepted(code) && !INVISIBLE.test(String.fromCharCode(code)))
      missed.push(code.toString(16));
  assert.deepEqual(missed, []);
});

test('detectors that state so find nothing in the words of a model', () => {
  const live = new Set([...RULE_SETS.markup, ...RULE_SETS.answers].map(({ id }): string => id));
  for (const { match } of RULES) {
    for (const sample of match) {
      const others = found(sample).filter(
        ({ rule }) => !live.has(rule) && !/^(?:leak\.address|hidden|pii|secret)\b/.test(rule),
      );
      assert.deepEqual(others, [], sample);
    }
  }
});

/** The ends of words with a sign, or of phrases of rules for responses; `first`: where the text of the sign begins. */
function signsIn(text: string, reach: SampledRow['reaches'][number]): { first: number; end: number }[] {
  if ('phrases' in reach)
    return [...text.matchAll(new RegExp(reach.phrases.join('|'), 'g'))].map(({ index }) => ({
      first: index,
      end: index,
    }));
  const { sign } = reach;
  const reader = new PlainWords();
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const end = index + word.length;
    const isOdd = !reader.isPlain(word);
    const isMixed = sign === 'a mixed word' && isMixedWord(word);
    const isMatch =
      sign instanceof RegExp && new RegExp(sign.source, 'i').test(word + text.slice(end, end + 2));
    return (sign instanceof RegExp ? isMatch : isOdd || isMixed) ? [{ first: index, end }] : [];
  });
}

/** How far text is waited for because of the signs from the first one on that may hold a finding at `start`. */
function waitedFor(text: string, reach: SampledRow['reaches'][number], start: number): number {
  let until = -1;
  for (const { first, end } of signsIn(text, reach)) {
    const isReached = until < 0 ? end > start - reach.after : end <= until;
    if (isReached && first - reach.before <= start) until = Math.max(until, end + reach.after);
  }
  return until;
}

test('a finding is complete before a stream stops waiting for it', () => {
  for (const { name, reaches, texts } of sampledRows(createRandom(23))) {
    if (reaches.every(({ ends }) => ends === 'with the text')) continue;
    for (const sample of texts) {
      const before = Math.max(...reaches.map((one) => one.before));
      const lead = plain(before);
      const text = lead + sample + plain(40);
      for (const { rule, start, end } of found(text).filter((one) => one.start >= lead.length)) {
        const covers = reaches.some((reach) =>
          found(text.slice(0, Math.max(0, waitedFor(text, reach, start)))).some(
            (one) => one.rule === rule && one.start === start && one.end === end,
          ),
        );
        assert.ok(covers, `${name}: ${rule} at ${start}-${end} of ${text}`);
      }
    }
  }
});
