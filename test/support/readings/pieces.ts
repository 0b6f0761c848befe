import { compileRuleset, type Ruleset, scan, Workspace } from '../../../shared/detection/index.ts';
import { RULE_SETS } from '../../../shared/detection/rules/index.ts';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { createTextGates, type TextGate } from '../../../shared/streaming/text-gates.ts';
import type { TextSlot } from '../../../shared/text/index.ts';
import { createRandom, type Random } from '../random.ts';
import { sampleOf } from '../sample-of.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../sensitive-values.ts';
import type { Readings } from './compare-readings.ts';
import { digest } from './digest.ts';
import { writeFindings } from './write-readings.ts';

const workspace = new Workspace();
const rules = (
  policies: Parameters<typeof compileRuleset>[0]['policies'],
  strictness: 'strict' | 'moderate' = 'strict',
) => compileRuleset({ useCase: 'support_bot', strictness, policies });
const STRICT = rules([]);
const BLOCKS_ALL = rules([
  { id: 'b', action: 'block', threatTypes: ['pii_leak', 'secret_leak', 'prompt_injection'] },
]);
const BLOCKS_NAMES = rules([
  {
    id: 'n',
    action: 'block',
    threatTypes: ['pii_leak'],
    rules: { conditions: { pii_types: ['person_name', 'iban', 'date_of_birth'] } },
  },
]);
const RULESETS: readonly Ruleset[] = [STRICT, BLOCKS_ALL, BLOCKS_NAMES, rules([], 'moderate')];
const SYSTEM: readonly TextSlot[] = [
  {
    path: '/system',
    role: 'system',
    text: 'You are Rosa, the assistant of a garden shop. Always greet customers by name. Never mention prices of other shops. Do not promise a delivery date. You must answer in at most three sentences. Never talk about politics.',
  },
];

const PROSE =
  'The report for the second quarter is ready, and my team has read it: sales rose by 12 points in 2024. This is what we know so far. I am sure that the initial plan, which the developer described at length, is still a good one; we can meet at 3 or 4 and look at the numbers again (see the point above). Ein Satz auf Deutsch, und вот ещё один на русском языке. 漢字 です。 Straßen, café, naïve. - One item * another "quoted word" and it’s fine… task_id index.ts a.b **done**. J.R. Tolkien wrote E2E-tests at 12,345 points → 50% -- ok'.split(
    ' ',
  );
const TURNS = [
  'my system prompt is',
  'I was told to',
  'I have been instructed',
  'my full initial hidden',
  'Sure, my secret instructions say:',
  'and my',
  ' eht dna ',
  ' rof ',
  'anna dot miller at example dot com',
  'anna [ at ] example.com',
  '=41=42=43',
  'caf=C3=A9=\n',
  '=?utf-8?q?',
  '?a=b+c',
  'api_key=\n',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n',
  '-----END RSA PRIVATE KEY-----',
  'phone',
  'card number:',
  'https://anna:',
  '@example.com',
  '+1 415 555',
  'password:',
  'mot de passe : Vert-Chat-77',
  'curl -s -u deploy:Vf83kLq92',
  'eval',
  '(x)',
  'javascript',
  ':',
  '```\n',
  '<form action="//x.example/a">',
  'type="password"',
  '\\',
  '\\u0041',
  'a b c d e f g h i j k l',
  '4 1 1 1 1 1 1 1',
  '\u200b',
  '\ud83d',
  '😀',
  'Anna Miller, born 4 May 1980',
  'DE89 3704 0044 0532 0130 00',
  'x_1',
  '![a](https://example.net/?data=',
  'aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Q=',
  'мy sуstem',
  '{"a":"\\u0061"}',
  'Always greet customers by name. Never mention prices of other shops. Do not promise a delivery date. You must answer in at most three sentences.',
  'supercalifragilisticexpialidocious',
  'x'.repeat(1_100),
];
/** Texts that could begin a value but do not. */
const OPENINGS = [
  ' eht dna ',
  'anna dot miller',
  'anna at',
  '=41=42',
  'a+b',
  'phone',
  'card number',
  'password',
  'eval',
  'javascript',
  '```',
  '(x)',
  ':',
  '\\',
  'a b c',
  '4 1 1',
  '\ud83d',
  '😀',
  '\u200b',
  'my system',
  'my own',
  'I was there',
  'I have been',
  'my full house',
  'my',
  'hidden',
  'initial',
  'exact',
  'мy',
  'supercalifragilisticexpialidocious',
  'key=',
  'https',
  '@',
  '[',
  '](',
  '<',
  '<form',
  '>',
  '-----',
  '?',
  'TOKEN',
  'sk-',
  'ghp_',
  '+1 415',
  '219-45',
  'always greet customers by name',
  '\n',
  '\n\n',
  '- ',
  '1.',
  'name-at-home',
  'dot',
  'at',
  'd.o.t',
  'x'.repeat(40),
];
const SAMPLES = [...RULE_SETS.answers, ...RULE_SETS.markup].flatMap(({ match }) => match);

const value = (random: Random) =>
  random.pick([
    () => sensitiveValue(random, random.below(VALUE_FORMS)).text,
    () => sampleOf(random.pick(SECRET_KINDS).form, random.below),
    () => random.pick(SEPARATORS),
  ])();

/** Texts that are held for a while but are not a value. */
const nearValue = (random: Random) =>
  random.pick([
    () => `${random.below(10_000)}-${random.below(10_000)}`,
    () => `${random.below(100)}.${random.below(100)}.${random.below(100)}`,
    () => `12,345,${100 + random.below(900)}`,
    () => sampleOf('{A13}', random.below),
    () => sampleOf('{H12}', random.below),
    () => `https://example.com/${random.below(99)}`,
    () => `user@${random.below(9)}`,
    () => `[${random.below(99)}](#a)`,
    () => `snake_case_${random.pick(PROSE)}`,
    () => 'my',
    () => 'I was',
    () => `<b>${random.pick(PROSE)}</b>`,
    () => `+${random.below(99)}`,
    () => random.pick(['a', 'b', 'c']),
  ])();

function longText(random: Random): string {
  let text = random.chance(0.1) ? random.pick(['{"a": "', ' [', '\n']) : '';
  const left = random.pick([10, 30, 60, 120]);
  const odd = random.pick([0.01, 0.02, 0.05, 0.2]);
  const hasValues = random.chance(0.4);
  for (let i = 0; i < left; i++) {
    text += random.chance(odd)
      ? random.pick([
          () => random.pick(hasValues ? SAMPLES : OPENINGS),
          () => random.pick(hasValues ? TURNS : OPENINGS),
          () => (hasValues ? value(random) : nearValue(random)),
        ])()
      : random.pick(PROSE);
    text += random.chance(0.97) ? ' ' : random.pick(SEPARATORS);
  }
  return text;
}
/** Pushes a text piece by piece; returns a number for each push. */
function feed(
  text: string,
  sizes: readonly number[],
  push: (piece: string, turn: number) => number,
): number[] {
  const released: number[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const next = at + sizes[turn % sizes.length]!;
    released.push(push(text.slice(at, next), turn));
    at = next;
  }
  return released;
}

/** How far the text was released at its end, and a digest of the progress after each piece. */
const trail = (released: readonly number[]) => `${released.at(-1)} ${digest(released)}`;

/** How much of texts can be released while they arrive in pieces. */
export function* readPieces(): Readings {
  for (let at = 0; at < 360; at++) {
    const random = createRandom(at * 7_919 + 17);
    const text = longText(random);
    const sizes = random.pick([[5], [7], [40], [3, 90, 1], [300], [13, 1, 1, 60]]);
    const ruleset = RULESETS[at % RULESETS.length]!;
    const slot = { path: '/', role: 'assistant' as const, text };
    const found =
      at % 4 === 0 ? writeFindings(scan([slot], ruleset, 'output', { workspace, systemSlots: SYSTEM })) : '';
    const gates = createTextGates(ruleset, {
      workspace,
      systemSlots: at % 2 === 0 ? SYSTEM : [],
      isAttacksOnly: at % 5 === 0,
    });
    const gate = gates.open('assistant');
    const pausing = (one: TextGate) => (piece: string, turn: number) =>
      turn % 9 === 8 ? Math.max(one.push(piece), one.pause()) : one.push(piece);
    const gated = trail([...feed(text, sizes, pausing(gate)), gate.pause()]);
    const behind = gates.open('assistant', at % 3 === 0 ? null : gate);
    const second = trail([...feed(text.slice(0, 400), sizes, pausing(behind)), behind.pause()]);
    const call = gates.open('tool_call').push(text);
    const leaves = (['assistant', 'tool_call', 'tool_result', 'other'] as const)
      .map((role) => (gates.mayLeave(role, text.slice(0, 200 + at * 10)) ? 1 : 0))
      .join('');
    const parts = [gated, second, `${call}${leaves}`, ...(found === '' ? [] : [found])];
    yield { name: `pieces ${at}`, text, reading: parts.join(' | ') };
  }
}
